// A store of profiles on disk, in the layout of the release: one file, a file of
// credentials and one of state, or a database.
import fs from "node:fs";
import path from "node:path";
import { agentDir, clone } from "./world.mjs";

const profilesFile = path.join(agentDir, "auth-profiles.json");
const stateFile = path.join(agentDir, "auth-state.json");
const database = path.join(agentDir, "openclaw-agent.sqlite");
let writes = 0;

function writeFile(file, document) {
  fs.writeFileSync(file, JSON.stringify(document));
  const time = 1_600_000_000 + ++writes; // releases cache by modification time
  fs.utimesSync(file, time, time);
}

function withDatabase(options, use) {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const opened = new DatabaseSync(database, options);
  try {
    opened.exec("pragma busy_timeout=5000");
    return use(opened);
  } finally {
    opened.close();
  }
}

const ROW = "insert into auth_profile_state(state_key, state_json, updated_at) values ('primary', ?, ?) " +
  "on conflict(state_key) do update set state_json = excluded.state_json, updated_at = excluded.updated_at";

export function writeStore(pack, save, store) {
  const document = clone(store) ?? {};
  const credentials = { version: 1, profiles: document.profiles ?? {} };
  const state = { version: 1 };
  for (const name of ["order", "lastGood", "usageStats"]) if (document[name]) state[name] = document[name];
  const stateful = Object.keys(state).length > 1;
  if (pack.marks.database) {
    // The release itself writes the credentials. The row of the state is then
    // replaced, because saving would already normalise what is asked about.
    save({ ...credentials, ...state }, agentDir, { filterExternalAuthProfiles: false, syncExternalCli: false });
    withDatabase({}, (opened) => {
      if (stateful) opened.prepare(ROW).run(JSON.stringify(state), Date.now());
      else opened.prepare("delete from auth_profile_state where state_key = 'primary'").run();
    });
  } else if (pack.marks.stateFile) {
    writeFile(profilesFile, credentials);
    if (stateful) writeFile(stateFile, state);
    else fs.rmSync(stateFile, { force: true });
  } else writeFile(profilesFile, { ...credentials, ...state });
}

export function readState(pack) {
  if (pack.marks.database) {
    return withDatabase({ readOnly: true }, (opened) => {
      const row = opened.prepare("select state_json from auth_profile_state where state_key = 'primary'").get();
      return row ? JSON.parse(row.state_json) : {};
    });
  }
  const file = pack.marks.stateFile ? stateFile : profilesFile;
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
}
