// node ask.mjs --root DIR < questions.jsonl > answers.jsonl
// Puts questions to the functions of the release that setup placed in DIR. A
// question is {id, fn, now, input}, its answer the same with want; where the
// release threw, want is {error}.
import fs from "node:fs";
import path from "node:path";
import { clock, network, say } from "./world.mjs";
import { live, usedShells } from "./link.mjs";
import { openPack } from "./pack.mjs";

const GROUPS = {
  profiles: ["order", "cooldown", "failure", "pin"],
  classify: ["classify"],
  chain: ["parse", "candidates", "selection", "walk"],
  facts: ["facts"],
};

const root = process.argv[process.argv.indexOf("--root") + 1];
const asked = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const wanted = new Set(asked.map((question) => question.fn));
const pack = openPack(path.resolve(root));
// A process asks one group: what a group needs to reach must be known before the
// first file of the release is loaded.
const groups = Object.keys(GROUPS).filter((group) => GROUPS[group].some((name) => wanted.has(name)));
if (groups.length !== 1) {
  process.stderr.write(`questions of one group at a time, not of: ${groups.join(", ") || "none"}\n`);
  process.exit(2);
}
const { questions } = await import(`./${groups[0]}.mjs`);
const functions = await questions(pack, wanted);
live.on = true;
for (const { id, fn, now, input } of asked) {
  if (!functions[fn]) continue; // the release has no such function
  clock.now = now ?? null;
  network.response = null;
  let want;
  try {
    want = await functions[fn](input);
  } catch (error) {
    want = { error: process.env.ASK_DEBUG ? String(error?.stack ?? error) : String(error?.message ?? error) };
  }
  clock.now = null;
  say(JSON.stringify({ id, fn, now, input, want }));
}
for (const fn of wanted) if (!functions[fn]) process.stderr.write(`${pack.version} has no ${fn}\n`);
for (const shell of usedShells()) process.stderr.write(`${pack.version} used a dependency that is not there: ${shell}\n`);
process.exit(0);
