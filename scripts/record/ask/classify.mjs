// Questions about errors: what a release makes of a message, a status, a code,
// and of a thrown value.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bind } from "./pack.mjs";
import { orNull } from "./world.mjs";

const NAMES = [
  "classifyFailoverSignal", "classifyFailoverReason", "isContextOverflowError", "isLikelyContextOverflowError",
  "coerceToFailoverError", "describeFailoverError", "isTimeoutError", "isFailoverError",
];
const HOOKED = ["anthropic", "openai", "google", "openrouter", "xai", "ollama", "together"];

export async function questions(pack) {
  const real = await bind(pack, NAMES, { prefer: [/failover-error|^error-/, /failover|pi-embedded-helpers|agents\/pi-embedded/] });
  const file = (pack.defines.get("classifyFailoverSignal") ?? [])[0];
  // Bundled providers have a say where the classifier takes one as an option.
  const takesPlugin = file !== undefined && /classifyFailoverSignal\(signal, opts\)/.test(pack.text(file));
  const plugins = takesPlugin ? await bundledProviders(pack) : [];
  // Whether the loop ends with an abort before it classifies it is only in its text.
  real.abortFirst = (pack.defines.get("shouldRethrowAbort") ?? []).some((name) => /if \(shouldRethrowAbort\(err\)\)/.test(pack.text(name)));
  return { classify: (input) => classify(real, plugins, input) };
}

// bundledProviders lets the provider plugins of the release register themselves.
async function bundledProviders(pack) {
  const providers = [];
  const anything = new Proxy(() => anything, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "then" ? undefined : anything),
    apply: () => anything,
  });
  const own = { registerProvider: (provider) => providers.push(provider), registrationMode: "setup", pluginConfig: undefined, config: {} };
  const api = new Proxy({}, { get: (_, key) => (key in own ? own[key] : anything) });
  for (const name of HOOKED) {
    const file = path.join(pack.dist, "extensions", name, "index.js");
    if (!fs.existsSync(file)) continue;
    try {
      await (await import(pathToFileURL(file).href)).default.register(api);
    } catch (error) {
      if (process.env.ASK_DEBUG) process.stderr.write(`plugin ${name}: ${error.message}\n`);
    }
  }
  return providers;
}

function providerOf(plugins, id) {
  const name = id?.trim().toLowerCase();
  if (!name) return undefined;
  return plugins.find((plugin) => [plugin.id, ...(plugin.aliases ?? []), ...(plugin.hookAliases ?? [])].some((other) => String(other).toLowerCase() === name));
}

// thrown makes a value to throw of its description: {kind: "Error" | "object" |
// "string" | "FailoverError", name?, message?, any other member as it is}.
function thrown(description) {
  if (description === null || typeof description !== "object" || Array.isArray(description) || !description.kind) return description;
  const { kind, message, name, ...members } = description;
  if (kind === "string") return message;
  const value = kind === "object" ? {} : new Error(message ?? "");
  if (kind === "object" && message !== undefined) value.message = message;
  if (name !== undefined) value.name = name;
  if (kind === "FailoverError") value.name = "FailoverError";
  for (const [key, member] of Object.entries(members)) value[key] = thrown(member);
  return value;
}

function verdict(answer) {
  if (!answer) return null;
  return answer.kind === "reason" ? answer.reason : "context_overflow";
}

function classify(real, plugins, input) {
  const { message, provider } = input;
  const want = {};
  const signal = {};
  for (const [name, member] of [["message", "message"], ["status", "status"], ["code", "code"], ["type", "errorType"], ["provider", "provider"], ["details", "details"]]) {
    if (input[name] !== undefined) signal[member] = input[name];
  }
  const hasSignal = Object.keys(signal).length > 0;
  if (hasSignal && real.classifyFailoverSignal) {
    const answer = real.classifyFailoverSignal(signal);
    want.kind = answer ? answer.kind : null;
    want.reason = verdict(answer);
  }
  if (typeof message === "string") {
    want.raw = orNull(real.classifyFailoverReason(message, provider === undefined ? undefined : { provider }));
    want.overflow = real.isContextOverflowError(message);
    want.overflowLikely = real.isLikelyContextOverflowError(message);
  }
  const description = input.error ?? (hasSignal ? errorOf(input) : undefined);
  if (description !== undefined) Object.assign(want, coerced(real, input, description));
  if (!hasSignal || !real.classifyFailoverSignal) {
    if (description !== undefined) want.reason = want.coerced ? want.coerced.reason : null;
  }
  const plugin = hasSignal && real.classifyFailoverSignal ? providerOf(plugins, provider) : undefined;
  if (plugin?.classifyFailoverReason || plugin?.matchesContextOverflowError) {
    want.hooked = verdict(real.classifyFailoverSignal(signal, { providerPlugin: plugin }));
  }
  return want;
}

// errorOf describes the error that carries a signal.
function errorOf({ message, status, code, type, provider }) {
  const description = { kind: message === undefined ? "object" : "Error", message, status, code, type, provider };
  for (const key of Object.keys(description)) if (description[key] === undefined) delete description[key];
  return description;
}

const isAbort = (error) => Boolean(error) && typeof error === "object" && String(error.name ?? "") === "AbortError";

function coerced(real, input, description) {
  const error = thrown(description);
  const context = input.context ?? (input.provider === undefined ? undefined : { provider: input.provider });
  const failover = real.coerceToFailoverError(error, context);
  const timeout = real.isTimeoutError(error);
  const want = {
    coerced: failover
      ? { reason: failover.reason, status: orNull(failover.status), code: orNull(failover.code), provider: orNull(failover.provider), suspend: orNull(failover.suspend) }
      : null,
    timeoutError: timeout,
    abortRethrow: isAbort(error) && !real.isFailoverError(error) && !timeout && (real.abortFirst || !failover),
  };
  if (real.describeFailoverError) {
    const { reason, status, code } = real.describeFailoverError(error);
    want.described = { reason: orNull(reason), status: orNull(status), code: orNull(code) };
  }
  return want;
}
