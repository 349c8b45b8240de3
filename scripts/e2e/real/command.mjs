// The program's agent command in a process of its own: node command.mjs PACKAGE, with HOME set. Each line of the
// input is the options of a turn; its outcome is printed as a line that starts with "@@".
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const dist = path.join(process.argv[2], 'dist');
const exports = /export \{[^}]*\bagentCommand\b[^}]*\}/;
const candidates = fs.readdirSync(dist).filter(name => /^agent(-command)?-.*\.m?js$/.test(name));
const file = candidates.find(name => exports.test(fs.readFileSync(path.join(dist, name), 'utf8'))) ?? candidates.find(name => name.startsWith('agent-command-'));
const loaded = file && await import(path.join(dist, file));
const agentCommand = loaded?.agentCommand ?? Object.values(loaded ?? {}).find(value => value?.name === 'agentCommand');
const say = value => process.stdout.write(`@@${JSON.stringify(value)}\n`);
say({ready: !!agentCommand});

const runtime = {log() {}, error: text => process.stderr.write(`${text}\n`), exit: code => { throw new Error(`exit ${code}`); }, writeStdout() {}, writeJson() {}};
for await (const line of readline.createInterface({input: process.stdin})) {
  try {
    const result = await agentCommand(JSON.parse(line), runtime, {});
    say({text: result?.payloads?.map(p => p.text).join('\n') ?? ''});
  } catch (error) {
    say({error: {name: error.name, reason: error.reason, text: error.message}});
  }
}
