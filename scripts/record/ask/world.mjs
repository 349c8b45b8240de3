// The made-up world that a release is asked in: a home of its own, no
// credentials in the environment, no network, a clock that the questions set.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const base = process.env.ASK_WORK ?? os.tmpdir();
fs.mkdirSync(base, { recursive: true });
export const home = fs.mkdtempSync(path.join(base, "ask-"));
export const stateDir = path.join(home, ".openclaw");
export const agentDir = path.join(stateDir, "agents/main/agent");

fs.mkdirSync(agentDir, { recursive: true });
fs.mkdirSync(path.join(home, "tmp"));
fs.writeFileSync(path.join(stateDir, "openclaw.json"), "{}\n");
for (const name of Object.keys(process.env)) {
  if (/API_KEY|TOKEN|SECRET|^(OPENCLAW|CLAWDBOT|MOLTBOT|AWS|CODEX|ANTHROPIC|OPENAI|GOOGLE|GEMINI)_/i.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  HOME: home, USERPROFILE: home, TMPDIR: path.join(home, "tmp"), XDG_CONFIG_HOME: path.join(home, ".config"),
  OPENCLAW_STATE_DIR: stateDir, OPENCLAW_LOG_LEVEL: "silent", OPENCLAW_NO_RESPAWN: "1", NODE_ENV: "production",
});
process.on("exit", () => fs.rmSync(home, { recursive: true, force: true }));
process.on("warning", () => {});

const realNow = Date.now;
export const clock = { now: null };
Date.now = () => clock.now ?? realNow();

// The one request that an answer may depend on is that for the Codex account's
// usage: a question brings its response, without one it fails.
export const network = { response: null, calls: 0 };
globalThis.fetch = async (address) => {
  if (/usage/.test(String(address?.url ?? address))) network.calls++; // some releases also look for a price list, once
  if (!network.response) throw new Error("no network");
  const { body, status = 200 } = network.response;
  return new Response(body === undefined ? "" : JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
};

process.stdout.write = () => true; // answers are written to the descriptor, past the program's own output
for (const method of ["log", "info", "debug", "warn", "error", "trace"]) console[method] = () => {};

// say writes an answer. A pipe that is full answers EAGAIN: then it waits for the reader.
export function say(line) {
  let rest = Buffer.from(line + "\n");
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

export const clone = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
export const orNull = (value) => value ?? null;
export function pick(object, names) {
  const picked = {};
  for (const name of names) if (object?.[name] !== undefined) picked[name] = object[name];
  return picked;
}
