// What a session's next reply runs on, the way the release's reply path asks it.
import { pick } from "./world.mjs";
import { answers, setStore } from "./answers.mjs";

const MEMBERS = [
  "providerOverride", "modelOverride", "modelOverrideSource", "modelOverrideRouteResolution",
  "modelOverrideFallbackOriginProvider", "modelOverrideFallbackOriginModel",
  "authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount",
];
const text = (value) => (typeof value === "string" && value.trim() ? value.trim() : undefined);

// selection: {cfg, agentId, sessionKey, sessions, store?, catalog?, isHeartbeat?, heartbeatModel?, lastPrimaryProbeAt?}
export async function selection(release, input) {
  const { real, wiring } = release;
  const { cfg, agentId, sessionKey } = input;
  const sessions = structuredClone(input.sessions ?? {});
  const entry = (sessions[sessionKey] ??= { sessionId: "s", updatedAt: 1 });
  setStore(input.store);
  answers.catalog = (input.catalog ?? []).map((row) => ({ name: row.id, ...row }));
  const start = startOf(release, input, sessions, entry);
  const { defaultProvider, defaultModel } = start;
  let state;
  try {
    state = await real.createModelSelectionState({
      cfg, agentCfg: cfg.agents?.defaults, agentId, sessionEntry: entry, sessionStore: sessions, sessionKey, parentSessionKey: entry.parentSessionKey,
      defaultProvider, defaultModel, primaryProvider: defaultProvider, primaryModel: defaultModel, provider: start.provider, model: start.model,
      hasModelDirective: false, hasResolvedHeartbeatModelOverride: start.heartbeat, isHeartbeat: input.isHeartbeat === true,
    });
  } catch (error) {
    return { default: { provider: defaultProvider, model: defaultModel }, error: error.message };
  }
  const after = sessions[sessionKey] ?? entry;
  const run = runOf(release, input, after, start.locked);
  const { provider, model } = state;
  const resolution = wiring.scoped ? state.requestedRouteResolution : undefined;
  const list = release.candidates({
    cfg, provider, model, fallbacksOverride: run.fallbacks, agentId: wiring.scoped ? agentId : undefined,
    requestedRouteResolution: wiring.scoped ? resolution ?? "resolved" : undefined,
  });
  const want = {
    default: { provider: defaultProvider, model: defaultModel }, provider, model, storedSource: start.stored?.source ?? null,
    hasSessionModelOverride: run.overridden, modelOverrideSource: run.source ?? null, hasAutoFallbackProvenance: Boolean(run.provenance),
    fallbacksOverride: run.fallbacks ?? null, candidates: list.candidates,
    reset: Boolean(state.resetModelOverride), resetRef: state.resetModelOverrideRef ?? null,
    primaryProbe: start.probe ? pick(start.probe, ["provider", "model", "fallbackProvider", "fallbackModel"]) : null,
    entryAfter: pick(after, MEMBERS),
  };
  if (wiring.scoped) want.requestedRouteResolution = resolution ?? null;
  if (wiring.agentFallbacksOnly) {
    // The agent command asks another function than the reply path there.
    want.commandFallbacksOverride = real.resolveEffectiveModelFallbacks?.({ cfg, agentId, hasSessionModelOverride: Boolean(text(after.modelOverride)) }) ?? null;
  }
  return want;
}

// startOf is the model that the reply path begins with, before the allowlist is asked.
function startOf({ real, wiring }, input, sessions, entry) {
  const { cfg, agentId, sessionKey, isHeartbeat } = input;
  const { defaultProvider, defaultModel, aliasIndex } = real.resolveDefaultModel({ cfg, agentId });
  const primary = { provider: defaultProvider, model: defaultModel };
  const locked = wiring.scoped && entry.modelSelectionLocked === true;
  let chosen = primary, heartbeat = false;
  const wish = isHeartbeat ? text(input.heartbeatModel) ?? text(cfg.agents?.defaults?.heartbeat?.model) : undefined;
  if (wish && !locked) {
    const resolved = real.resolveModelRefFromString({ raw: wish, defaultProvider, aliasIndex, ...(wiring.scoped ? { cfg, agentId } : {}) });
    if (resolved) { chosen = resolved.ref; heartbeat = true; }
  }
  const stored = real.resolveStoredModelOverride({ sessionEntry: entry, sessionStore: sessions, sessionKey, parentSessionKey: entry.parentSessionKey, defaultProvider });
  const asPrimary = { primaryProvider: defaultProvider, primaryModel: defaultModel };
  const stale = !locked && Boolean(real.isStaleHeartbeatAutoFallbackOverride?.({
    isHeartbeat: isHeartbeat === true, hasResolvedHeartbeatModelOverride: heartbeat, sessionEntry: entry, storedOverride: stored, defaultProvider, defaultModel, ...asPrimary,
  }));
  const originless = !locked && stored?.source === "session" && Boolean(real.hasLegacyAutoFallbackWithoutOrigin?.(entry));
  if (wiring.startsOnOverride && stored?.model && !heartbeat && !stale && !originless) {
    chosen = { provider: stored.provider ?? defaultProvider, model: stored.model };
  }
  const probed = input.lastPrimaryProbeAt ? [[`${sessionKey}\0${defaultProvider}/${defaultModel}`, input.lastPrimaryProbeAt]] : [];
  const probe = locked || heartbeat || stale ? undefined : real.resolveAutoFallbackPrimaryProbe?.({ entry, sessionKey, ...asPrimary, probeState: new Map(probed) });
  return { defaultProvider, defaultModel, provider: chosen.provider, model: chosen.model, heartbeat, stored, locked, probe };
}

// runOf is what the run is told of the session's override, and its fallbacks.
function runOf({ real, wiring }, { cfg, agentId, sessionKey }, entry, locked) {
  const isDefault = wiring.scoped && entry.modelOverrideSource === "default";
  const stored = !isDefault && Boolean(text(entry.modelOverride) || text(entry.providerOverride));
  const overridden = stored && !real.hasLegacyAutoFallbackWithoutOrigin?.(entry);
  const source = overridden ? entry.modelOverrideSource : undefined;
  const knowsProvenance = wiring.scoped || real.resolveAutoFallbackPrimaryProbe;
  const provenance = overridden && knowsProvenance ? real.hasSessionAutoModelFallbackProvenance?.(entry) ?? false : false;
  if (wiring.agentFallbacksOnly || !real.resolveEffectiveModelFallbacks) {
    const fallbacks = real.resolveRunModelFallbacksOverride?.({ cfg, agentId, sessionKey });
    return { overridden, source, provenance, fallbacks };
  }
  const fallbacks = real.resolveEffectiveModelFallbacks({
    cfg, agentId, sessionKey, hasSessionModelOverride: overridden, modelOverrideSource: source, hasAutoFallbackProvenance: provenance,
    ...(wiring.scoped ? { modelSelectionLocked: locked, subagentSpawnLineage: (entry.spawnDepth ?? 0) > 0 } : {}),
  });
  return { overridden, source, provenance, fallbacks };
}
