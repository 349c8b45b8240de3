// A release of OpenClaw as its npm package: where its code is, which file
// defines which function, and imports of functions that the file keeps to itself.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { definedIn } from "./defined.mjs";
import { expose } from "./link.mjs";

// openPack reads the index of a package that setup put into root. The index
// maps each name that is defined at the top level of a file to these files.
export function openPack(root) {
  const dir = path.join(root, "node_modules/openclaw");
  const dist = path.join(dir, "dist");
  const version = JSON.parse(fs.readFileSync(path.join(dir, "package.json"), "utf8")).version;
  const pack = { root, dir, dist, version, files: [], size: {}, defines: new Map(), texts: new Map() };
  pack.text = (file) => text(pack, file);
  const cache = path.join(root, "index.json");
  if (fs.existsSync(cache)) {
    const saved = JSON.parse(fs.readFileSync(cache, "utf8"));
    Object.assign(pack, { files: saved.files, size: saved.size, marks: saved.marks, defines: new Map(saved.defines) });
    return pack;
  }
  for (const file of walk(dist, "")) {
    const text = fs.readFileSync(path.join(dist, file), "utf8");
    pack.files.push(file);
    pack.size[file] = text.length;
    for (const name of definedIn(text)) {
      const files = pack.defines.get(name) ?? [];
      if (!files.includes(file)) files.push(file);
      pack.defines.set(name, files);
    }
  }
  // Where the profiles are kept is read off the code, not off the number of the release.
  // (2026.6.1 declares tables of other names that it doesn't use yet.)
  const any = (pattern) => pack.files.some((file) => pattern.test(pack.text(file)));
  pack.marks = { stateFile: any(/"auth-state\.json"/), database: any(/auth_profile_store\b/) };
  fs.writeFileSync(cache, JSON.stringify({ files: pack.files, size: pack.size, marks: pack.marks, defines: [...pack.defines] }));
  return pack;
}

function walk(dist, below) {
  const found = [];
  for (const entry of fs.readdirSync(path.join(dist, below), { withFileTypes: true })) {
    const file = path.join(below, entry.name);
    if (entry.isDirectory()) {
      if (!["extensions", "node_modules", "control-ui", "canvas-host", "docs", "config-doctor"].includes(entry.name)) found.push(...walk(dist, file));
    } else if (/\.m?js$/.test(entry.name)) found.push(file);
  }
  return found;
}

function text(pack, file) {
  if (!pack.texts.has(file)) pack.texts.set(file, fs.readFileSync(path.join(pack.dist, file), "utf8"));
  return pack.texts.get(file);
}

// exposeAll makes names importable. It must come before the first import of a file
// that leads to theirs.
export function exposeAll(pack, names) {
  for (const name of names) expose(pack, pack.defines.get(name) ?? []);
}

// bind imports functions by name. Copies of the same code in several bundles are
// the same source, but each keeps its own memory, so that functions which work
// together are taken from as few files as possible: the file that defines most
// of the names first, of equals the smallest. Names that no file defines are undefined.
export async function bind(pack, names, { prefer = [] } = {}) {
  exposeAll(pack, names);
  const count = new Map();
  for (const name of names) for (const file of pack.defines.get(name) ?? []) count.set(file, (count.get(file) ?? 0) + 1);
  const rank = (file) => {
    const wish = prefer.findIndex((pattern) => pattern.test(file));
    return [wish < 0 ? prefer.length : wish, -count.get(file), pack.size[file]];
  };
  const better = (a, b) => {
    const x = rank(a), y = rank(b);
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i] - y[i];
    return a < b ? -1 : 1;
  };
  const chosen = new Map();
  for (const name of names) {
    const files = [...(pack.defines.get(name) ?? [])].sort(better);
    if (files.length) chosen.set(name, files[0]);
  }
  const bound = {};
  for (const [name, file] of chosen) {
    const module = await import(pathToFileURL(path.join(pack.dist, file)).href);
    bound[name] = module[`ask_${name}`];
    if (process.env.ASK_DEBUG) process.stderr.write(`${name} <- ${file}\n`);
  }
  return bound;
}

// bodyOf is the text of a function, of the first file that defines it; "" for none.
export function bodyOf(pack, name) {
  const file = (pack.defines.get(name) ?? []).toSorted((a, b) => pack.size[b] - pack.size[a])[0];
  if (!file) return "";
  const source = pack.text(file);
  const start = source.search(new RegExp(`^(?:export )?(?:async )?function ${name}\\(`, "m"));
  return source.slice(start, source.indexOf("\n}", start));
}
