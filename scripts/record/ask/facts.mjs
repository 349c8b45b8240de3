// What needs no question: other spellings of providers, the files and databases
// that a release writes, and what it makes of files of older releases.
import fs from "node:fs";
import path from "node:path";
import { answer } from "./link.mjs";
import { bind } from "./pack.mjs";
import { writeStore } from "./store.mjs";
import { agentDir, stateDir } from "./world.mjs";

const NAMES = [
  "ensureAuthProfileStore", "saveAuthProfileStore", "normalizeProviderId", "resolveProviderIdForAuth", "normalizeProviderIdForAuth",
  "openOpenClawStateDatabase", "openOpenClawAgentDatabase", "DEFAULT_PROVIDER", "DEFAULT_MODEL",
];
const FILES = [/auth-profiles/, /model-selection|provider-id/, /openclaw-(state|agent)-db/, /defaults/];

export async function questions(pack) {
  answer(pack, "resolveExternalAuthProfilesWithPlugins");
  globalThis.ask.resolveExternalAuthProfilesWithPlugins = () => [];
  const real = await bind(pack, NAMES, { prefer: FILES });
  return {
    facts: ({ spellings }) => ({
      spellings: spelled(pack, real, spellings), files: written(pack, real), schemas: schemas(real),
      defaultProvider: real.DEFAULT_PROVIDER ?? null, defaultModel: real.DEFAULT_MODEL ?? null, loads: loads(pack, real),
    }),
  };
}

// spelled maps each spelling to [normal form, provider whose credentials serve it],
// where that is more than lower case. Besides the spellings of the question it
// looks at those in the manifests of the release's own plugins.
function spelled(pack, real, spellings) {
  const all = new Set(spellings);
  const extensions = path.join(pack.dist, "extensions");
  for (const plugin of fs.existsSync(extensions) ? fs.readdirSync(extensions) : []) {
    const file = path.join(extensions, plugin, "openclaw.plugin.json");
    if (!fs.existsSync(file)) continue;
    const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
    for (const id of manifest.providers ?? []) all.add(id);
    for (const [id, other] of Object.entries(manifest.providerAuthAliases ?? {})) all.add(id).add(other);
    for (const choice of manifest.providerAuthChoices ?? []) all.add(choice.provider).add(choice.choiceId);
  }
  const map = {};
  for (const id of [...all].filter((id) => typeof id === "string" && id).sort()) {
    const normal = real.normalizeProviderId(id);
    const key = real.resolveProviderIdForAuth ? real.resolveProviderIdForAuth(id, { config: {} }) : (real.normalizeProviderIdForAuth ?? real.normalizeProviderId)(id);
    if (normal !== id.toLowerCase() || key !== normal) map[id] = [normal, key];
  }
  return map;
}

const clear = () => {
  for (const name of fs.readdirSync(stateDir)) if (name !== "openclaw.json") fs.rmSync(path.join(stateDir, name), { recursive: true, force: true });
  fs.mkdirSync(agentDir, { recursive: true });
};

// listed names the files below the state directory, databases with the number of their schema.
function listed(below = "") {
  const found = {};
  for (const entry of fs.readdirSync(path.join(stateDir, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) Object.assign(found, listed(name));
    else if (name.endsWith(".sqlite")) found[name] = versionOf(path.join(stateDir, name));
    else if (!/-(wal|shm)$|openclaw\.json$/.test(name)) found[name] = null;
  }
  return found;
}

function versionOf(file) {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const opened = new DatabaseSync(file, { readOnly: true });
  try { return opened.prepare("pragma user_version").get().user_version; } finally { opened.close(); }
}

const KEY = { type: "api_key", provider: "openai", key: "sk-test" };

function written(pack, real) {
  writeStore(pack, real.saveAuthProfileStore, { profiles: { "openai:a": KEY }, usageStats: { "openai:a": { lastUsed: 1 } } });
  real.saveAuthProfileStore({ ...real.ensureAuthProfileStore(agentDir, { allowKeychainPrompt: false }) }, agentDir);
  return listed();
}

function schemas(real) {
  const found = {};
  for (const [role, open] of [["state", real.openOpenClawStateDatabase], ["agent", real.openOpenClawAgentDatabase]]) {
    if (!open) continue;
    try {
      found[role] = open({ agentId: "main", env: process.env }).db.prepare("pragma user_version").get().user_version;
    } catch (error) {
      found[role] = String(error.message);
    }
  }
  return found;
}

// Files as a person or an older release leaves them, by what they tell about the release.
const LEFT = {
  importOnLoad: { "agents/A/agent/auth.json": { openai: { type: "api_key", key: "sk-test" } } },
  oauthOnLoad: { "credentials/oauth.json": { anthropic: { access: "a", refresh: "r", expires: 1 } } },
  clonesMain: { "agents/main/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": KEY } } },
  localFirst: {
    "agents/main/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": KEY } },
    "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:b": KEY } },
  },
  memberAliases: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": { mode: "api_key", provider: "openai", apiKey: "sk-test" } } } },
  apiKeyType: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": { type: "apiKey", provider: "openai", key: "sk-test" } } } },
  refValues: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": { type: "api_key", provider: "openai", key: { source: "env", provider: "default", id: "OPENAI_API_KEY" } } } } },
  refWins: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": { ...KEY, keyRef: { source: "env", provider: "default", id: "OPENAI_API_KEY" } } } } },
  whitelist: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": { ...KEY, setup: {}, note: "x" } } } },
  dropDangling: { "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": KEY }, usageStats: { "openai:gone": { lastUsed: 1 } } } },
  stateFile: {
    "agents/A/agent/auth-profiles.json": { version: 1, profiles: { "openai:a": KEY } },
    "agents/A/agent/auth-state.json": { version: 1, usageStats: { "openai:a": { lastUsed: 1 } } },
  },
};

// loads lets agent A load each of these, and tells what it got and which files are there then.
function loads(pack, real) {
  const results = {};
  for (const [name, files] of Object.entries(LEFT)) {
    const agent = `a${name.toLowerCase()}`; // releases remember stores by directory
    if (!pack.marks.database) clear(); // a database stays open
    fs.rmSync(path.join(stateDir, "credentials"), { recursive: true, force: true });
    for (const [file, document] of Object.entries(files)) {
      const place = path.join(stateDir, file.replace("agents/A/", `agents/${agent}/`));
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, JSON.stringify(document));
    }
    try {
      const { profiles, usageStats } = real.ensureAuthProfileStore(path.join(stateDir, "agents", agent, "agent"), { allowKeychainPrompt: false });
      const left = Object.keys(listed()).filter((file) => file.includes(agent) || !file.startsWith("agents/"));
      results[name] = { ids: Object.keys(profiles), profiles, usage: Object.keys(usageStats ?? {}), files: left.map((file) => file.replace(agent, "A")) };
    } catch (error) {
      results[name] = { error: String(error.message).replaceAll(stateDir, "").slice(0, 200) };
    }
  }
  return results;
}
