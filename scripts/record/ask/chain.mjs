// Questions about models: how a reference is read, the candidates of a run,
// what a session selects, and what a run does with candidates that fail.
import fs from "node:fs";
import path from "node:path";
import { answer, memo } from "./link.mjs";
import { bind, bodyOf } from "./pack.mjs";
import { stateDir } from "./world.mjs";
import { answers } from "./answers.mjs";
import { selection } from "./selection.mjs";
import { walk } from "./walk.mjs";

const NAMES = [
  "parseModelRef", "resolveModelRefFromString", "buildModelAliasIndex", "resolveConfiguredModelRef", "splitTrailingAuthProfile",
  "modelKey", "resolveDefaultModelForAgent", "resolveModelCandidateChain", "resolveFallbackCandidates",
  "resolveImageFallbackCandidates", "resolveImageFallbackDefaultProvider", "runWithModelFallback", "FailoverError",
  "LiveSessionModelSwitchError", "createModelSelectionState", "resolveStoredModelOverride", "resolveDefaultModel",
  "isStaleHeartbeatAutoFallbackOverride", "hasLegacyAutoFallbackWithoutOrigin", "resolveAutoFallbackPrimaryProbe",
  "resolveRunModelFallbacksOverride", "resolveEffectiveModelFallbacks", "resolveModelFallbackAvailability",
  "hasSessionAutoModelFallbackProvenance", "DEFAULT_PROVIDER",
];
const FILES = [/model-fallback/, /model-selection/, /directive-handling/, /agent-scope/, /failover-error|^error-/, /stored-model-override/];

// The stores that a run reads are those of the question, not what lies on disk.
function answerStores(pack) {
  answer(pack, "ensureAuthProfileStore", "loadAuthProfileStoreForRuntime", "hasAnyAuthProfileStoreSource", "maybeReprobeWhamBlockedProfiles", "loadModelCatalog");
  memo(pack, "loadPluginMetadataSnapshot", "loadManifestModelIdNormalizationPolicies", "resolveManifestModelIdNormalizationPolicies");
}

export async function questions(pack) {
  answerStores(pack);
  const real = await bind(pack, NAMES, { prefer: FILES });
  Object.assign(globalThis.ask, {
    ensureAuthProfileStore: () => structuredClone(answers.store),
    loadAuthProfileStoreForRuntime: () => structuredClone(answers.store),
    hasAnyAuthProfileStoreSource: () => answers.hasStore,
    maybeReprobeWhamBlockedProfiles: async () => undefined,
    loadModelCatalog: async () => structuredClone(answers.catalog),
  });
  const wiring = wiringOf(pack, real);
  const release = { pack, real, wiring, candidates: (input) => candidates(real, wiring, input) };
  return {
    parse: (input) => withIndex(pack, input, () => parse(real, input)),
    candidates: (input) => withIndex(pack, input, () => release.candidates(input)),
    selection: (input) => withIndex(pack, input, () => selection(release, input)),
    walk: (input) => withIndex(pack, input, () => walk(release, input)),
  };
}

// wiringOf reads off the text of a release how its reply path puts the functions
// together: there is no single function to ask.
function wiringOf(pack, real) {
  const reply = bodyOf(pack, "getReplyFromConfig");
  const options = bodyOf(pack, "resolveModelFallbackOptions");
  const constant = (pack.defines.get("DEFAULT_PROVIDER") ?? []).map((file) => /DEFAULT_PROVIDER = "([^"]+)"/.exec(pack.text(file))?.[1]).find(Boolean);
  return {
    scoped: Boolean(real.resolveModelFallbackAvailability), // runs belong to an agent, routes are resolved
    switches: (pack.defines.get("runWithModelFallback") ?? []).some((file) => /instanceof LiveSessionModelSwitchError/.test(pack.text(file))),
    startsOnOverride: /resolveStoredModelOverride\(|resolveSessionModelRef|storedModelOverride/.test(reply),
    agentFallbacksOnly: /fallbacksOverride: resolveRunModelFallbacksOverride\(/.test(options),
    defaultProvider: constant ?? "openai",
  };
}

// withIndex puts an index of installed plugins on disk where the question wants one:
// releases of 2026.4 read the rules of model ids only of plugins that are in it.
async function withIndex(pack, input, ask) {
  const file = path.join(stateDir, "plugins/installs.json");
  const wanted = input.pluginIndex === true && pack.version.startsWith("2026.4.");
  if (wanted !== fs.existsSync(file)) {
    globalThis.ask.memory.clear();
    if (wanted) {
      const extensions = path.join(pack.dist, "extensions");
      const plugins = fs.readdirSync(extensions).map((name) => ({ pluginId: name, rootDir: path.join(extensions, name), origin: "bundled", enabled: true }));
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify({ version: 1, plugins }));
    } else fs.rmSync(file);
  }
  return plain(await ask());
}

// plain drops what JSON has no word for.
const plain = (value) => JSON.parse(JSON.stringify(value));

export function ref(value) {
  if (!value) return null;
  return { provider: value.provider, model: value.model };
}

function parse(real, input) {
  const cfg = input.cfg ?? {}, defaultProvider = input.defaultProvider ?? "openai";
  if (input.kind === "configured") {
    return { ref: ref(real.resolveConfiguredModelRef({ cfg, defaultProvider, defaultModel: input.defaultModel ?? "gpt-5.5" })) };
  }
  if (input.kind === "agentDefault") return { ref: ref(real.resolveDefaultModelForAgent({ cfg, agentId: input.agentId })) };
  const split = real.splitTrailingAuthProfile ? real.splitTrailingAuthProfile(input.raw) : { model: input.raw };
  const aliasIndex = real.buildModelAliasIndex({ cfg, defaultProvider });
  const resolved = real.resolveModelRefFromString({ cfg, raw: input.raw, defaultProvider, aliasIndex });
  return {
    split: { model: split.model, profile: split.profile ?? null },
    parsed: ref(real.parseModelRef(input.raw, defaultProvider)),
    resolved: ref(resolved?.ref),
    alias: resolved?.alias ?? null,
    key: resolved ? real.modelKey(resolved.ref.provider, resolved.ref.model) : null,
  };
}

function candidates(real, wiring, input) {
  const { cfg, provider, model, modelOverride, fallbacksOverride, agentId, requestedRouteResolution } = input;
  if (input.kind === "image") {
    const defaultProvider = real.resolveImageFallbackDefaultProvider ? real.resolveImageFallbackDefaultProvider(cfg) : wiring.defaultProvider;
    return { candidates: real.resolveImageFallbackCandidates({ cfg, modelOverride, defaultProvider }).map(ref) };
  }
  const params = { cfg, provider, model };
  if (fallbacksOverride !== undefined && fallbacksOverride !== null) params.fallbacksOverride = fallbacksOverride;
  if (wiring.scoped && agentId) params.agentId = agentId;
  if (wiring.scoped && requestedRouteResolution) params.requestedRouteResolution = requestedRouteResolution;
  const list = (real.resolveModelCandidateChain ?? real.resolveFallbackCandidates)(params);
  const want = { candidates: list.map(ref) };
  if (list[0]?.routeOrigin) want.origins = list.map((candidate) => candidate.routeOrigin);
  return want;
}
