// How the code of a package is loaded: names that a file keeps to itself are
// exported, single functions are answered by the recorder, and dependencies
// that setup left out (SDKs of chat services and the like) are empty shells.
// The code of the release itself is never changed otherwise.
import fs from "node:fs";
import path from "node:path";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { definedIn } from "./defined.mjs";

const exposed = new Set(); // files whose top-level names are exported as ask_NAME
const answered = new Set(); // names of functions that the recorder answers
const remembered = new Set(); // names of functions that are asked once for the same arguments
const shells = new Map(); // specifier -> how often it was used while answering
export const live = { on: false };

export function expose(pack, files) {
  for (const file of files) exposed.add(pathToFileURL(path.join(pack.dist, file)).href);
}

// answer makes every definition of a function in the package return what
// globalThis.ask[NAME] returns, once that is set.
export function answer(pack, ...names) {
  for (const name of names) {
    answered.add(name);
    expose(pack, pack.defines.get(name) ?? []);
  }
}

// memo lets functions that read the bundled plugins' files answer from memory when
// they are asked the same again.
export function memo(pack, ...names) {
  for (const name of names) {
    remembered.add(name);
    expose(pack, pack.defines.get(name) ?? []);
  }
}

globalThis.ask = { memory: new Map() };
globalThis.askMemo = (name, compute, args) => {
  if (args[0]?.plugins) return compute(...args);
  // Of a configuration only what it says of plugins matters to them.
  const { config, ...others } = args[0] ?? {};
  const key = JSON.stringify([name, others, config?.plugins]);
  if (!globalThis.ask.memory.has(key)) globalThis.ask.memory.set(key, compute(...args));
  return globalThis.ask.memory.get(key);
};

// usedShells lists the missing dependencies that the answers have touched. An
// answer that depends on one would say something about the shell.
export const usedShells = () => [...shells].filter(([, times]) => times > 0).map(([name, times]) => `${name} ${times}×`);

globalThis.askShell = (name) => {
  if (live.on) shells.set(name, (shells.get(name) ?? 0) + 1);
};

function withExports(source) {
  const names = [...definedIn(source)].map((name) => `${name} as ask_${name}`);
  return `${source}\nexport { ${names.join(", ")} };\n`;
}

// headOf matches the head of a function's definition at the top level of a file.
const headOf = (name) => new RegExp(`^(?:export )?(?:async )?function ${name}\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\) \\{`, "m");

function withAnswers(source) {
  for (const name of answered) {
    source = source.replace(headOf(name), (all) => `${all}\n\tif (globalThis.ask.${name}) return globalThis.ask.${name}(...arguments);`);
    // From 2026.9.3 on some are members of what another function makes.
    const member = new RegExp(`^(const \\{[^{}]*?\\b)${name}(?=\\s*[,}])([^{}]*\\} = )`, "m");
    source = source.replace(member, (_, before, behind) => `function ${name}(...args) { return (globalThis.ask.${name} ?? ask_real_${name})(...args); }\n${before}${name}: ask_real_${name}${behind}`);
  }
  for (const name of remembered) {
    source = source.replace(headOf(name), (all) => `function ${name}(...args) { return globalThis.askMemo("${name}", ask_real_${name}, args); }\n${all.replace(name, `ask_real_${name}`)}`);
  }
  return source;
}

function importedNames(parent, specifier) {
  const names = new Set();
  if (!parent.startsWith("file:")) return names;
  const source = fs.readFileSync(fileURLToPath(parent), "utf8");
  for (const [, list, from] of source.matchAll(/(?:import|export)\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)) {
    if (from !== specifier) continue;
    for (const item of list.split(",")) {
      const name = item.trim().split(/\s+as\s+/)[0];
      if (name && name !== "default") names.add(name);
    }
  }
  for (const [, space, from] of source.matchAll(/import \* as ([\w$]+) from ["']([^"']+)["']/g)) {
    if (from !== specifier) continue;
    for (const [, name] of source.matchAll(new RegExp(`(?<![\\w$])${space.replaceAll("$", "\\$")}\\.([A-Za-z_$][\\w$]*)`, "g"))) if (name !== "default") names.add(name);
  }
  return names;
}

// Releases of 2026.3 load plugins through jiti. Of a plugin only its pure rules of model
// ids are loaded, everything else of it is left out.
const JITI = `
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
export const createJiti = () => (file) => {
  try { return { ...createRequire(file)(join(dirname(file), "model-id.js")) }; } catch { return {}; }
};
export default createJiti;
`;

const SHELL = `
const shell = new Proxy(class {}, {
  get(target, key) {
    if (key === "then") return undefined;
    if (key === Symbol.toPrimitive) return () => "";
    if (key === Symbol.iterator) return function* () {};
    if (key === "prototype") return target.prototype;
    globalThis.askShell(NAME);
    return shell;
  },
  apply() { globalThis.askShell(NAME); return shell; },
  construct(target, args, created) {
    globalThis.askShell(NAME);
    return created === shell ? shell : Reflect.construct(target, [], created);
  },
});
export default shell;
`;

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (/^([./]|file:|node:|#)/.test(specifier) || !context.parentURL?.startsWith("file:")) throw error;
      const query = new URLSearchParams({ name: specifier, parent: context.parentURL });
      return { url: `shell:?${query}`, format: "module", shortCircuit: true };
    }
  },
  load(url, context, next) {
    if (url.startsWith("shell:")) {
      const query = new URLSearchParams(url.slice("shell:?".length));
      const name = query.get("name");
      if (name === "jiti") return { format: "module", shortCircuit: true, source: JITI };
      const exports = [...importedNames(query.get("parent"), name)].map((item) => `export { shell as ${item} };`);
      return { format: "module", shortCircuit: true, source: SHELL.replaceAll("NAME", JSON.stringify(name)) + exports.join("\n") };
    }
    if (!exposed.has(url)) return next(url, context);
    const source = fs.readFileSync(fileURLToPath(url), "utf8");
    return { format: "module", shortCircuit: true, source: withExports(withAnswers(source)) };
  },
});
