// A home of OpenClaw for a plan, in the layout of its release: files of JSON ("json"), a database of each agent
// ("sqlite"), or these and a shared one ("shared").
import fs from 'node:fs';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {DatabaseSync} from 'node:sqlite';

export const variables = (program, home) => ({
  PATH: `${path.dirname(program.node)}:/usr/bin:/bin`, HOME: home, TZ: 'UTC', NO_COLOR: '1', OPENCLAW_NO_RESPAWN: '1', OPENCLAW_SKIP_UPDATE_CHECK: '1',
});

const write = (file, value) => {
  fs.mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  fs.writeFileSync(file, JSON.stringify(value, null, 2) + '\n', {mode: 0o600});
};
const read = file => { try { return JSON.parse(fs.readFileSync(file, 'utf8')); } catch { return undefined; } };
const parse = text => text === undefined ? undefined : JSON.parse(text);

// Retries of one request with the same profile take minutes and change nothing.
const withoutRetries = {retry: {enabled: false, maxRetries: 0, provider: {maxRetries: 0}}};

export class Home {
  constructor(program, dir, plan) {
    Object.assign(this, {program, dir, plan, state: path.join(dir, '.openclaw')});
  }

  // make writes the home. What the databases look like only the program knows: its own doctor makes them.
  make(port) {
    const {plan} = this;
    this.config = JSON.parse(JSON.stringify(plan.config).replaceAll('MOCK_PORT', port));
    this.config.agents.defaults.workspace = path.join(this.dir, 'workspace');
    this.config.logging = {level: 'warn', file: path.join(this.dir, 'openclaw.log')};
    fs.mkdirSync(this.config.agents.defaults.workspace, {recursive: true});
    if (plan.layout !== 'json') this.#makeDatabases();
    write(path.join(this.state, 'openclaw.json'), this.config);
    for (const agent of plan.agents) this.#makeAgent(agent);
  }

  #makeDatabases() {
    const kept = path.join(this.dir, '..', 'databases');
    if (!fs.existsSync(kept)) {
      const {agents, ...config} = this.config;
      write(path.join(this.state, 'openclaw.json'), {...config, agents: {defaults: agents.defaults}});
      write(path.join(this.state, 'agents/main/agent/auth-profiles.json'), {version: 1, profiles: this.plan.agents.at(-1).profiles});
      // From 2026.8 on an agent has a database once it has a session.
      write(this.#sessions('main'), {'agent:main:main': {sessionId: '11111111-1111-4111-8111-111111111111', updatedAt: Date.now()}});
      const doctor = spawnSync(this.program.node, [this.program.cli, 'doctor', '--fix', '--non-interactive'], {env: variables(this.program, this.dir), encoding: 'utf8', timeout: 600000});
      if (!fs.existsSync(this.#database('main'))) throw new Error(`openclaw doctor --fix made no database: ${(doctor.stderr || doctor.stdout).slice(-500)}`);
      fs.cpSync(this.state, kept, {recursive: true});
    } else {
      fs.cpSync(kept, this.state, {recursive: true});
    }
    if (this.plan.layout === 'shared') this.#with(path.join(this.state, 'state/openclaw.sqlite'), db => {
      const put = db.prepare('INSERT INTO config_machine_state(state_key, value_json, updated_at_ms) VALUES(?, ?, 1) ON CONFLICT(state_key) DO UPDATE SET value_json = excluded.value_json');
      put.run('auth.sharedStore', '{"location":"state-db"}');
      put.run('authProfiles.store', '{"version":1,"profiles":{}}');
      db.prepare("DELETE FROM config_machine_state WHERE state_key = 'authProfiles.state'").run();
    });
  }

  #makeAgent({id, profiles, state}) {
    const dir = path.join(this.state, 'agents', id, 'agent');
    write(path.join(dir, 'settings.json'), withoutRetries);
    const store = {version: 1, profiles};
    if (this.plan.layout === 'json') {
      write(path.join(dir, 'auth-profiles.json'), store);
      write(path.join(dir, 'auth-state.json'), {version: 1, ...state});
      return;
    }
    if (id !== 'main') this.#with(this.#database('main'), db => db.exec(`VACUUM INTO '${this.#database(id)}'`));
    this.#with(this.#database(id), db => {
      db.exec('PRAGMA journal_mode = WAL; DELETE FROM auth_profile_store; DELETE FROM auth_profile_state');
      db.prepare("UPDATE schema_meta SET agent_id = ? WHERE meta_key = 'primary'").run(id);
      db.prepare("INSERT INTO auth_profile_store VALUES('primary', ?, 1)").run(JSON.stringify(store));
      db.prepare("INSERT INTO auth_profile_state VALUES('primary', ?, 1)").run(JSON.stringify({version: 1, ...state}));
    });
  }

  // authState is what an agent's runs have left: usageStats, order, lastGood.
  authState(agent) {
    if (this.plan.layout === 'json') return read(path.join(this.state, 'agents', agent, 'agent/auth-state.json')) ?? {};
    return parse(this.#with(this.#database(agent), db => db.prepare('SELECT state_json text FROM auth_profile_state').get()?.text)) ?? {};
  }

  session(agent, key) {
    if (this.plan.layout !== 'shared') return read(this.#sessions(agent))?.[key];
    return parse(this.#with(this.#database(agent), db => db.prepare('SELECT entry_json text FROM session_nodes WHERE session_key = ?').get(key)?.text));
  }

  // patchSession sets members of the entry of a session that a turn has made.
  patchSession(agent, key, members) {
    const entry = {...this.session(agent, key), ...members, updatedAt: Date.now()};
    if (this.plan.layout !== 'shared') return write(this.#sessions(agent), {...read(this.#sessions(agent)), [key]: entry});
    this.#with(this.#database(agent), db => db.prepare('UPDATE session_nodes SET entry_json = ?, updated_at = ? WHERE session_key = ?').run(JSON.stringify(entry), entry.updatedAt, key));
  }

  #sessions(agent) { return path.join(this.state, 'agents', agent, 'sessions/sessions.json'); }
  #database(agent) { return path.join(this.state, 'agents', agent, 'agent/openclaw-agent.sqlite'); }

  #with(file, use) {
    const db = new DatabaseSync(file);
    try { db.exec('PRAGMA busy_timeout = 5000'); return use(db); } finally { db.close(); }
  }
}
