// Runs the turns of a plan (standard input, see plan.go) on the real program, and prints each as a line of
// testdata/e2e/turns.jsonl: what the program had loaded, what it asked the providers for, and what it left.
import fs from 'node:fs';
import path from 'node:path';
import {startMock} from './mock.mjs';
import {Home} from './home.mjs';
import {Command, Gateway} from './drive.mjs';

const {program, work, release, via, homes} = JSON.parse(fs.readFileSync(0, 'utf8'));
const mock = await startMock();
let drive;
const stop = code => { drive?.stop(); mock.close(); process.exit(code); };
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(130));
process.on('uncaughtException', error => { console.error(error.message); stop(1); });

for (const [n, plan] of homes.entries()) {
  const home = new Home(program, path.join(work, `home-${n + 1}`), plan);
  home.make(mock.port);
  drive = via === 'command' ? new Command(program, home) : new Gateway(program, home, via);
  await drive.start();
  for (const agent of plan.agents) for (const [i, turn] of (agent.turns ?? []).entries()) {
    console.log(JSON.stringify(await run(home, agent, turn, i + 1)));
  }
  drive.stop();
  fs.rmSync(home.dir, {recursive: true, force: true});
}
stop(0);

async function run(home, agent, turn, number) {
  const session = `agent:${agent.id}:${turn.session}`;
  if (turn.entry && home.session(agent.id, session)) home.patchSession(agent.id, session, turn.entry);
  const before = home.authState(agent.id), entry = home.session(agent.id, session);
  mock.faults = turn.faults ?? [];
  mock.requests.length = 0;
  const start = Date.now();
  const answer = await drive.turn({agent: agent.id, session, message: `hi ${number}`});
  await new Promise(resolve => setTimeout(resolve, 500)); // what is recorded after the answer
  const after = home.authState(agent.id), last = mock.requests.at(-1);
  const usage = Object.fromEntries(Object.entries(after.usageStats ?? {}).filter(([id, stats]) => sorted(stats) !== sorted(before.usageStats?.[id])));
  return {
    release, process: path.basename(home.dir), via: {command: 'local', http: 'http', reply: 'chat'}[via], id: agent.id, turn: number, title: turn.title,
    now: mock.requests[0]?.at ?? start, start, agent: agent.id, main: Object.keys(home.plan.agents[0].profiles), config: home.config, profiles: masked(agent.profiles),
    order: before.order, lastGood: before.lastGood, usageStats: before.usageStats, ...(entry ? {session, entry} : {}), fail: turn.fail,
    requests: mock.requests.map(r => [r.provider, r.model, r.profile, r.result, 1]),
    outcome: last?.result === 'ok' ? {winner: `${last.provider}/${last.model}`} : {error: failure(answer)},
    usageAfter: usage,
  };
}

// sorted is a value's text, whatever the order in which the program writes members.
function sorted(value) {
  return JSON.stringify(value, (_, v) => v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v);
}

// failure is what is known of how a run failed. The wording of a single model's error is the program's own, for
// people; it is left out.
function failure({error, text}) {
  const {name, reason, text: message} = error ?? {text: via === 'reply' ? text : ''};
  const known = ['Error', 'FailoverError', 'FallbackSummaryError'].includes(name); // others are about its own files
  return {...known && {name, reason}, text: /^All models failed|^⚠️ (All models|Rate-limited)/.test(message) ? message : ''};
}

function masked(profiles) {
  return Object.fromEntries(Object.entries(profiles).map(([id, credential]) => [id, {...credential, key: 'mock'}]));
}
