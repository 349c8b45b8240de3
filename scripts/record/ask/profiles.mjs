// Questions about profiles: order, cooldown, failure, pin.
import { answer } from "./link.mjs";
import { bind, exposeAll } from "./pack.mjs";
import { readState, writeStore } from "./store.mjs";
import { agentDir, clock, clone, network, pick } from "./world.mjs";

const NAMES = [
  "resolveAuthProfileOrder", "resolveAuthProfileEligibility", "isProfileInCooldown", "clearExpiredCooldowns",
  "getSoonestCooldownExpiry", "resolveProfilesUnavailableReason", "resolveProfileUnusableUntilForDisplay",
  "resolveProviderIdForAuth", "normalizeProviderIdForAuth", "normalizeProviderId",
  "markAuthProfileFailure", "markAuthProfileBlockedUntil", "markAuthProfileCooldown", "clearAuthProfileCooldown",
  "markAuthProfileUsed", "markAuthProfileGood", "markAuthProfileSuccess", "saveAuthProfileStore", "ensureAuthProfileStore",
];
const PINS = ["resolveSessionAuthProfileOverride", "resolveSessionAuthSelection"];
const ENTRY = ["authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount", "updatedAt"];

export async function questions(pack, wanted) {
  // In a home without logins of other programs the plugins find none; asking all of
  // them at each load and save is nine tenths of the time.
  answer(pack, "resolveExternalAuthProfilesWithPlugins");
  globalThis.ask.resolveExternalAuthProfilesWithPlugins = () => [];
  exposeAll(pack, PINS);
  const real = await bind(pack, NAMES, { prefer: [/auth-profiles/, /model-selection|provider-id/] });
  const pins = wanted.has("pin") ? await bind(pack, PINS) : {};
  return {
    order: (input) => order(real, input),
    cooldown: (input) => cooldown(real, input),
    failure: (input) => failure(pack, real, input),
    ...(pins.resolveSessionAuthProfileOverride || pins.resolveSessionAuthSelection ? { pin: (input) => pin(pack, real, pins, input) } : {}),
  };
}

function storeOf(store) {
  const copy = clone(store);
  copy.profiles ??= {};
  return copy;
}

// order: {cfg, store, provider, preferredProfile?, forModel?}
function order(real, { cfg, store: given, provider, preferredProfile, forModel }) {
  const store = storeOf(given);
  const list = real.resolveAuthProfileOrder({ cfg, store, provider, preferredProfile, forModel });
  const eligibility = {};
  if (real.resolveAuthProfileEligibility) {
    const lists = [...Object.values(cfg?.auth?.order ?? {}), ...Object.values(store.order ?? {})];
    const ids = new Set([...Object.keys(store.profiles), ...Object.keys(cfg?.auth?.profiles ?? {}), ...lists.flat()]);
    for (const profileId of [...ids].filter((id) => typeof id === "string").sort()) {
      const { reasonCode, eligible } = real.resolveAuthProfileEligibility({ cfg, store, provider, profileId, now: clock.now });
      const odd = eligible === (reasonCode === "ok") ? "" : eligible ? "+eligible" : "+ineligible";
      eligibility[profileId] = reasonCode + odd;
    }
  }
  const key = real.resolveProviderIdForAuth
    ? real.resolveProviderIdForAuth(provider, { config: cfg })
    : (real.normalizeProviderIdForAuth ?? real.normalizeProviderId ?? ((id) => id))(provider);
  return { authKey: key, order: list, eligibility };
}

// cooldown: {store, profileIds, forModel?}
function cooldown(real, { store: given, profileIds, forModel }) {
  const store = storeOf(given), now = clock.now;
  const want = { inCooldown: {} };
  if (real.isProfileInCooldown) for (const id of profileIds) want.inCooldown[id] = real.isProfileInCooldown(store, id, now, forModel);
  if (real.getSoonestCooldownExpiry) want.soonest = real.getSoonestCooldownExpiry(store, profileIds, { now, forModel });
  if (real.resolveProfilesUnavailableReason) want.reason = real.resolveProfilesUnavailableReason({ store, profileIds, now });
  if (real.resolveProfileUnusableUntilForDisplay) {
    want.displayUntil = {};
    for (const id of profileIds) want.displayUntil[id] = real.resolveProfileUnusableUntilForDisplay(store, id);
  }
  if (real.clearExpiredCooldowns) {
    want.cleared = real.clearExpiredCooldowns(store, now);
    want.usageStats = clone(store.usageStats) ?? null;
  }
  return want;
}

// failure: {cfg, store, events: [{at, op, profileId, …}]}, each event written to a store on disk
async function failure(pack, real, { cfg, store, events }) {
  writeStore(pack, real.saveAuthProfileStore, store);
  const steps = [];
  for (const event of events) {
    clock.now = event.at;
    Object.assign(network, { response: event.wham ?? null, calls: 0 });
    const loaded = real.ensureAuthProfileStore(agentDir, { allowKeychainPrompt: false });
    const done = await apply(real, cfg, event, { store: loaded, profileId: event.profileId, agentDir });
    const step = done ? { stats: readState(pack).usageStats?.[event.profileId] ?? null } : { skipped: true };
    if (done && network.calls) step.probed = true;
    steps.push(step);
  }
  network.response = null;
  const state = readState(pack);
  return { steps, usageStats: state.usageStats ?? {}, lastGood: state.lastGood ?? {} };
}

// apply lets the release record an event; false where it has no such operation.
async function apply(real, cfg, event, base) {
  const { op, provider, reason, modelId, blockedUntil, source } = event;
  const run = async (name, more) => (real[name] ? (await real[name]({ ...base, ...more }), true) : false);
  switch (op) {
    case "failure": return run("markAuthProfileFailure", { reason, cfg, modelId });
    case "cooldown": return run("markAuthProfileCooldown");
    case "blocked": return run("markAuthProfileBlockedUntil", { blockedUntil, source, modelId });
    case "clear": return run("clearAuthProfileCooldown");
    case "used": return run("markAuthProfileUsed");
    case "good": return run("markAuthProfileGood", { provider });
    case "success":
      if (real.markAuthProfileSuccess) return run("markAuthProfileSuccess", { provider });
      await run("markAuthProfileGood", { provider });
      return run("markAuthProfileUsed");
  }
  return false;
}

// pin: {cfg, store, provider, acceptedProviderIds?, modelId?, isNewSession, sessionKey, sessionEntry}
async function pin(pack, real, pins, input) {
  const { cfg, store, provider, acceptedProviderIds, modelId, isNewSession, sessionKey, sessionEntry } = input;
  writeStore(pack, real.saveAuthProfileStore, store);
  const entry = clone(sessionEntry);
  const params = {
    cfg: cfg ?? {}, provider, agentDir, agentId: "main", modelId, isNewSession, sessionKey, sessionEntry: entry,
    sessionStore: entry && sessionKey ? { [sessionKey]: entry } : undefined,
  };
  if (acceptedProviderIds) params.acceptedProviderIds = acceptedProviderIds;
  const kept = () => (entry ? pick(clone(entry), ENTRY) : null);
  if (!pins.resolveSessionAuthSelection) {
    const answer = await pins.resolveSessionAuthProfileOverride(params);
    const id = answer && typeof answer === "object" ? answer.profileId : answer;
    return { via: "override", profileId: id ?? null, entry: kept() };
  }
  const answer = (await pins.resolveSessionAuthSelection({ ...params, harnessRuntime: undefined })) ?? {};
  return { via: "selection", profileId: answer.profileId ?? null, ...pick(answer, ["source", "routeRequirement"]), entry: kept() };
}
