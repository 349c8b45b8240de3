#!/usr/bin/env python3
"""Runs `chain exec` with real curl against a server on loopback that fails on purpose.

    e2e-exec.py BINARY TURNS.jsonl HOMES

TURNS and HOMES are recorded turns of the real OpenClaw: the home before each, how the requests ended, and the usage
entries afterwards. For each turn the requests that the server gets (provider, model, key) are compared with those of
`chain simulate` and of the real program, and what is stored afterwards with what both have. The last line counts.
"""
import fnmatch
import http.server
import json
import os
import shutil
import socketserver
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

TIMES = 'lastUsed', 'lastFailureAt', 'lastProbeAt'
WINDOWS = {'cooldownUntil': ('cooldownReason', 'cooldownModel'), 'disabledUntil': ('disabledReason',), 'blockedUntil': ('blockedReason', 'blockedModel')}
CLOCK = 3000  # ms that a real run, or curl, may have taken
SLOW = 8  # s after which an attempt has timed out: on a busy machine others take a second

# What the command does: one request; how it ended goes to stderr or into the result file.
CLIENT = r'''
body=$(curl -sS -o - -w '\n%{http_code}' "$URL/$OPENCLAW_AUTH_PROVIDER/v1/chat/completions" \
  -H "Authorization: Bearer $MOCK_KEY" -H 'Content-Type: application/json' -d '{"model": "{model}"}') || exit $?
code=$(printf '%s' "$body" | tail -n 1)
text=$(printf '%s' "$body" | sed '$d')
case $code in
200) printf '%s' "$text"; exit 0 ;;
499) printf '{"reason": "%s"}' "$text" > "$OPENCLAW_AUTH_RESULT"; exit 22 ;;
esac
printf '%s' "$text" >&2
exit 22
'''


class Mock(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    patterns, seen = [], []

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        provider, model = self.path.split('/')[1], body['model']
        profile = self.headers['Authorization'].removeprefix('Bearer sk-mock-')
        Mock.seen.append((provider, model, profile))
        result = 'ok'
        for pattern in Mock.patterns:
            left, right = pattern.split('=', 1)
            ref, _, wanted = left.partition('@')
            if fnmatch.fnmatchcase(f'{provider}/{model}', ref) and (not wanted or fnmatch.fnmatchcase(profile, wanted)):
                result = right
                break
        if result == 'timeout':
            time.sleep(SLOW + 2)
        if result == 'text:Connection error.':
            self.close_connection = True
            return
        status, text = 200, '{"choices": []}'
        if result.startswith('text:'):
            text = result[5:]
            status = int(text[:3]) if text[:3].isdigit() else 500
        elif result != 'ok':
            status, text = 499, result
        data = text.encode()
        self.send_response(status)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def names(calls):
    """Provider/model@profile of each request; one entry for several in a row: the real program repeats some."""
    names = [f'{p}/{m}@{profile.split(":")[-1]}' for p, m, profile in calls]
    return [n for i, n in enumerate(names) if i == 0 or names[i - 1] != n]


def simulate(binary, home, args, env):
    r = subprocess.run([binary, '--state-dir', home, 'chain', 'simulate', *args, '--json'], capture_output=True, text=True, env=env)
    return json.loads(r.stdout) if r.stdout.startswith('{') else {'calls': []}


def stored(home, agent):
    """The usage entries that the agent sees: the shared ones below its own."""
    usage = {}

    def row(path, query):
        if not os.path.exists(path):
            return
        database = sqlite3.connect(path)
        try:
            for text, in database.execute(query):
                usage.update(json.loads(text).get('usageStats') or {})
        except sqlite3.OperationalError:
            pass
        database.close()
    row(f'{home}/state/openclaw.sqlite', "select value_json from config_machine_state where state_key = 'authProfiles.state'")
    for a in ('main', agent):
        folder = f'{home}/agents/{a}/agent'
        row(f'{folder}/openclaw-agent.sqlite', "select state_json from auth_profile_state where state_key = 'primary'")
        for name in ('auth-profiles.json', 'auth-state.json'):
            if os.path.exists(f'{folder}/{name}'):
                with open(f'{folder}/{name}', encoding='utf-8') as f:
                    usage.update(json.load(f).get('usageStats') or {})
    return usage


def differs(want, got, now):
    """Counts and reasons as they are; a window by its length from the failure; other times by whether this turn set them."""
    out = [f'{k} {want.get(k)} / {got.get(k)}' for k in TIMES if ((want.get(k) or 0) >= now) != ((got.get(k) or 0) >= now)]
    for k in ('errorCount', 'failureCounts'):
        if (want.get(k) or {}) != (got.get(k) or {}):
            out.append(f'{k} {want.get(k)} / {got.get(k)}')
    for until, labels in WINDOWS.items():
        a, b = want.get(until), got.get(until)
        if not a and not b:
            continue
        if not (a and b) or a != b and abs((a - want.get('lastFailureAt', 0)) - (b - got.get('lastFailureAt', 0))) > CLOCK or any(want.get(k) != got.get(k) for k in labels):
            out.append(f'{until} {a} {[want.get(k) for k in labels]} / {b} {[got.get(k) for k in labels]}')
    return out


def compare(want, before, after, now):
    out = []
    for profile in sorted({p for p in after if after[p] != before.get(p)} | set(want)):
        if profile not in want:
            out.append(f'{profile} changed by exec only')
        else:
            out += [f'{profile} {d}' for d in differs(want[profile], after.get(profile) or {}, now)]
    return out


def main(binary, turns, homes):
    server = Server(('127.0.0.1', 0), Mock)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {'PATH': os.environ['PATH'], 'HOME': '/nonexistent', 'NO_COLOR': '1', 'URL': f'http://127.0.0.1:{server.server_port}'}
    count = dict.fromkeys(['turns', 'as simulate', 'as real', 'states as simulate', 'states as real'], 0)
    with open(turns, encoding='utf-8') as lines:
        turns = [json.loads(line) for line in lines]
    with tempfile.TemporaryDirectory() as work:
        for turn in turns:
            if turn.get('stale'):
                continue
            home = os.path.join(work, 'home')
            shutil.copytree(os.path.join(homes, turn['home']), home)
            subprocess.run(['chmod', '-R', 'u+rwX,go-rwx', home], check=True)
            args = turn['args']
            fails = [args[i + 1] for i, a in enumerate(args) if a == '--fail']
            rest = [a for i, a in enumerate(args) if a != '--fail' and (i == 0 or args[i - 1] != '--fail')]
            agent, now = args[args.index('--agent') + 1], int(args[args.index('--now') + 1])
            simulated, before = simulate(binary, home, args, env), stored(home, agent)
            Mock.patterns, Mock.seen = fails, []
            run = subprocess.run(
                [binary, '--state-dir', home, 'chain', 'exec', *rest, '--env', 'MOCK_KEY', '--attempt-timeout', f'{SLOW}s', '--on-exit', '52=timeout', '-q', '--', 'sh', '-c', CLIENT],
                capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)
            after = stored(home, agent)
            seen, planned = names(Mock.seen), names((c['provider'], c['model'], c.get('profile') or '') for c in simulated['calls'])
            real = names(r[:3] for r in turn['requests'])
            usage = {c['profile']: c['after'] for c in simulated['calls'] if c.get('profile') and c.get('after') and c['after'] != c['before']}
            wrong = [f'requests: exec {" > ".join(seen)}, simulate {" > ".join(planned)}'] if seen != planned else []
            unreal = [f'requests: exec {" > ".join(seen)}, real {" > ".join(real)}'] if seen != real else []
            if ('winner' in turn['outcome']) != (run.returncode == 0):
                unreal.append(f'exit code {run.returncode}, real {turn["outcome"]}: {run.stderr.strip()[-200:]}')
            state, unreal_state = compare(usage, before, after, now), compare(turn['usage'], before, after, now)
            for name, bad in (('as simulate', wrong), ('as real', unreal), ('states as simulate', state), ('states as real', unreal_state)):
                count[name] += not bad
                for text in bad:
                    print(f'{turn["home"]}  {name}: {text}')
            count['turns'] += 1
            shutil.rmtree(home)
    print(', '.join(f'{v} {k}' for k, v in count.items()))
    return 0 if len(set(count.values())) == 1 else 1


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
