// What a run does whose candidates answer or fail as the question says.
import path from "node:path";
import { clock, home } from "./world.mjs";
import { answers, setStore } from "./answers.mjs";

let walks = 0;

// walk: {cfg, provider, model, store?, outcomes, fallbacksOverride?, agentId?, sessionId?, skipTtlMs?, runs?: [{advanceMs, outcomes?, usageStats?}]}
export async function walk(release, input) {
  walks++;
  setStore(input.store);
  delete process.env.OPENCLAW_FALLBACK_SKIP_TTL_MS;
  if (input.skipTtlMs !== undefined) process.env.OPENCLAW_FALLBACK_SKIP_TTL_MS = String(input.skipTtlMs);
  const runs = [];
  for (const run of input.runs ?? [{}]) {
    clock.now += run.advanceMs ?? 0;
    if (run.usageStats) answers.store = { ...answers.store, usageStats: run.usageStats };
    runs.push(await once(release, input, run.outcomes ?? input.outcomes ?? {}));
  }
  return input.runs ? { runs } : runs[0];
}

async function once({ real, wiring }, input, outcomes) {
  const calls = [], steps = [], asked = new Map();
  const outcomeOf = (key) => {
    const outcome = outcomes[key] ?? outcomes["*"] ?? "ok";
    if (!Array.isArray(outcome)) return outcome;
    const before = asked.get(key) ?? 0;
    asked.set(key, before + 1);
    return outcome[Math.min(before, outcome.length - 1)];
  };
  const params = {
    cfg: input.cfg, provider: input.provider, model: input.model, runId: "run-1",
    agentDir: path.join(home, `walk-${walks}`), // cooldowns between runs are remembered by directory
    run: async (provider, model, options) => {
      const call = { provider, model };
      if (options?.allowTransientCooldownProbe) call.probe = true;
      if (options?.isFinalFallbackAttempt) call.final = true;
      calls.push(call);
      const outcome = outcomeOf(`${provider}/${model}`);
      if (outcome === "ok") return { ok: true };
      throw failureOf(real, wiring, outcome, provider, model);
    },
    onFallbackStep: (step) => steps.push({
      from: step.fallbackStepFromModel, to: step.fallbackStepToModel ?? null, reason: step.fallbackStepFromFailureReason ?? null,
      pos: step.fallbackStepChainPosition ?? null, outcome: step.fallbackStepFinalOutcome,
    }),
    onError: () => {},
  };
  if (wiring.scoped || input.agentId) params.agentId = input.agentId ?? "main";
  if (input.fallbacksOverride !== undefined && input.fallbacksOverride !== null) params.fallbacksOverride = input.fallbacksOverride;
  if (input.sessionId) params.sessionId = `${input.sessionId}-${walks}`;
  let result;
  try {
    const done = await real.runWithModelFallback(params);
    result = { kind: "ok", provider: done.provider, model: done.model, attempts: done.attempts.map(attemptOf) };
  } catch (error) {
    result = { kind: "error", name: error?.name ?? null, message: error?.message ?? String(error), reason: error?.reason ?? null };
    if (Array.isArray(error?.attempts)) {
      result.attempts = error.attempts.map(attemptOf);
      result.soonestCooldownExpiry = error.soonestCooldownExpiry ?? null;
    }
  }
  return { at: clock.now, calls, steps, result };
}

function attemptOf({ provider, model, error, reason, status, code }) {
  return { provider, model, error, reason: reason ?? null, status: status ?? null, code: code ?? null };
}

// failureOf throws what a candidate's run throws: a model switch, a failover error, any other error.
function failureOf(real, wiring, outcome, provider, model) {
  if (outcome.switch) {
    const { LiveSessionModelSwitchError: Switch } = real;
    return Switch && wiring.switches ? new Switch(outcome.switch) : new Error(`Live session model switch requested: ${outcome.switch.provider}/${outcome.switch.model}`);
  }
  const { reason, message, status, code, rawError, profileId, name } = outcome;
  if (reason) return new real.FailoverError(message ?? `${reason} from ${provider}`, { reason, provider, model, status, code, rawError, profileId });
  const error = new Error(outcome.raw ?? "boom");
  if (name) error.name = name;
  if (status !== undefined) error.status = status;
  if (code !== undefined) error.code = code;
  return error;
}
