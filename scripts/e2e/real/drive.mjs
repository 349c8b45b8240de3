// Ways of running a turn of the real program on a home.
import fs from 'node:fs';
import path from 'node:path';
import net from 'node:net';
import {spawn} from 'node:child_process';
import {variables} from './home.mjs';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const patience = 600000; // ms that a start or a turn may take

const launch = (program, home, args, stdio, more = {}) =>
  spawn('nice', ['-n', '15', program.node, ...args], {env: {...variables(program, home.dir), ...more}, cwd: home.dir, stdio, detached: true});

function end(child) {
  if (child && child.exitCode === null) try { process.kill(-child.pid, 'SIGKILL'); } catch {}
}

// Command runs turns with the agent command in one process, as `openclaw agent --local` does.
export class Command {
  constructor(program, home) { Object.assign(this, {program, home, waiting: []}); }

  async start() {
    const log = fs.openSync(path.join(this.home.dir, 'command.log'), 'a');
    this.child = launch(this.program, this.home, [new URL('command.mjs', import.meta.url).pathname, this.program.package], ['pipe', 'pipe', log]);
    let rest = '';
    this.child.stdout.on('data', chunk => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.startsWith('@@')) this.waiting.shift()?.(JSON.parse(line.slice(2)));
    });
    this.child.on('exit', () => this.waiting.forEach(answer => answer({error: {text: 'the program ended'}})));
    if (!(await new Promise(resolve => this.waiting.push(resolve))).ready) throw new Error('the release has no agent command that this finds');
  }

  turn({agent, session, message}) {
    return new Promise(resolve => {
      this.waiting.push(resolve);
      this.child.stdin.write(JSON.stringify({message, agentId: agent, sessionKey: session, senderIsOwner: true, allowModelOverride: true, cleanupBundleMcpOnRunEnd: false}) + '\n');
    });
  }

  stop() { end(this.child); }
}

// Gateway runs turns in a gateway on loopback: with the agent command over HTTP, or as a channel's message (reply).
export class Gateway {
  constructor(program, home, way) { Object.assign(this, {program, home, way, pending: new Map(), events: [], count: 0}); }

  async start() {
    this.port = await new Promise(resolve => { const server = net.createServer().listen(0, '127.0.0.1', () => { const {port} = server.address(); server.close(() => resolve(port)); }); });
    const log = fs.openSync(path.join(this.home.dir, 'gateway.log'), 'a');
    const quiet = Object.fromEntries(['CHANNELS', 'CRON', 'CANVAS_HOST', 'BROWSER_CONTROL_SERVER', 'GMAIL_WATCHER'].map(name => [`OPENCLAW_SKIP_${name}`, '1']));
    this.child = launch(this.program, this.home, [this.program.cli, 'gateway', 'run', '--port', String(this.port), '--bind', 'loopback'], ['ignore', log, log], {...quiet, OPENCLAW_DISABLE_BONJOUR: '1'});
    for (const last = Date.now() + patience; ; await wait(1000)) {
      if (this.child.exitCode !== null) throw new Error(`the gateway ended with ${this.child.exitCode}: ${fs.readFileSync(path.join(this.home.dir, 'gateway.log'), 'utf8').slice(-400)}`);
      try { return await this.#connect(); } catch (error) { if (Date.now() > last) throw error; }
    }
  }

  #connect() {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.port}`);
      const timer = setTimeout(() => { socket.close(); reject(new Error('the gateway does not greet')); }, 30000);
      const fail = error => { clearTimeout(timer); reject(error); };
      socket.onerror = () => fail(new Error('no connection to the gateway'));
      socket.onmessage = ({data}) => {
        const frame = JSON.parse(data);
        if (frame.event === 'connect.challenge') {
          this.socket = socket;
          this.#request('connect', {minProtocol: 3, maxProtocol: 4, role: 'operator', caps: [], auth: {token: 'e2e'}, scopes: ['operator.admin', 'operator.read', 'operator.write'],
            client: {id: 'gateway-client', version: this.home.plan.release, platform: 'linux', mode: 'backend'}}).then(() => { clearTimeout(timer); resolve(); }, fail);
        } else if (frame.type === 'event') {
          this.events.push(frame);
          this.last = Date.now();
        } else if (this.pending.has(frame.id)) {
          const {resolve: done, reject: failed} = this.pending.get(frame.id);
          this.pending.delete(frame.id);
          frame.ok ? done(frame.payload) : failed(new Error(frame.error?.message ?? 'refused'));
        }
      };
    });
  }

  #request(method, params) {
    const id = String(++this.count);
    return new Promise((resolve, reject) => { this.pending.set(id, {resolve, reject}); this.socket.send(JSON.stringify({type: 'req', id, method, params})); });
  }

  turn(turn) { return this.way === 'http' ? this.#post(turn) : this.#chat(turn); }

  async #post({agent, session, message}) {
    const response = await fetch(`http://127.0.0.1:${this.port}/v1/chat/completions`, {method: 'POST', signal: AbortSignal.timeout(patience),
      headers: {'content-type': 'application/json', authorization: 'Bearer e2e', 'x-openclaw-agent-id': agent, 'x-openclaw-session-key': session},
      body: JSON.stringify({model: `openclaw/${agent}`, messages: [{role: 'user', content: message}]})});
    return {text: await response.text()};
  }

  async #chat({session, message}) {
    const run = `e2e-${Date.now()}-${++this.count}`, from = this.events.length;
    await this.#request('chat.send', {sessionKey: session, message, idempotencyKey: run, deliver: false});
    for (const last = Date.now() + patience; Date.now() < last; await wait(100)) {
      const done = this.events.slice(from).find(e => e.event === 'chat' && e.payload?.runId === run && ['final', 'error', 'aborted'].includes(e.payload.state));
      if (!done) continue;
      while (Date.now() - this.last < 4000) await wait(200); // a message sent at once would be queued behind this run
      const text = (done.payload.message?.content ?? []).map(part => part.text ?? '').join('') || done.payload.errorMessage || '';
      return {text};
    }
    return {error: {text: 'the turn did not end'}};
  }

  stop() { this.socket?.close(); end(this.child); }
}
