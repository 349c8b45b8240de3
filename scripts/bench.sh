#!/usr/bin/env bash
# Whole-process times, as ratios of medians in one run: what a command costs
# beyond starting a Go process at all, and one session out of a large file
# against jq. Absolute times mean nothing on a shared machine; the ratios hold.
# usage: scripts/bench.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/build-one.sh "$work/openclaw-auth"
mkdir "$work/hello"
cat > "$work/hello/main.go" <<'GO'
package main

import "fmt"

func main() { fmt.Println("hello, world") }
GO
CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$work/hello/linked" "$work/hello/main.go"
cp "$work/hello/linked" "$work/hello-world" # a copy, as build-one.sh makes one

# The same with the libraries that prepare tables before main runs: what no
# change to this program can save as long as it links them.
linked=scripts/hello-libraries
mkdir "$linked"
trap 'rm -rf "$work" "$linked"' EXIT
cat > "$linked/main.go" <<'GO'
package main

import (
	"fmt"

	_ "github.com/itchyny/gojq"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/urfave/cli/v2"
)

func main() { fmt.Println("hello, world") }
GO
CGO_ENABLED=0 go build -tags urfave_cli_no_docs -trimpath -ldflags '-s -w' -o "$work/hello/libraries" "./$linked"
cp "$work/hello/libraries" "$work/hello-libraries"
rm -r "$linked"
go build -o "$work/compare" ./scripts/compare

compare() { # LABEL LIMIT COMMAND...
  local label=$1 limit=$2
  shift 2
  "$work/compare" -runs "$runs" -label "$label" -limit "$limit" -- "$work/$base" -- "$@"
}

base=hello-world
compare 'its libraries alone / hello world' 2.0 "$work/hello-libraries"
compare 'auth order on the demo home / hello world' 2.0 "$work/openclaw-auth" --demo auth order
compare 'chain explain on the demo home / hello world' 2.0 "$work/openclaw-auth" --demo chain explain
base=hello-libraries
compare 'auth order on the demo home / its libraries alone' 2.0 "$work/openclaw-auth" --demo auth order
compare 'chain explain on the demo home / its libraries alone' 2.0 "$work/openclaw-auth" --demo chain explain
base=hello-world

mkdir -p "$work/databases"
tar -xzf testdata/homes/2026.9.6.tar.gz -C "$work/databases" # a shared store and one of the agent's own
compare 'auth order on a 2026.9.6 home / hello world' 2.5 "$work/openclaw-auth" auth order --agent main --state-dir "$work/databases/.openclaw"

# What running a command through the chain costs, its success recorded, beside the
# command itself, which is next to nothing here.
cp -r testdata/homes/2026.5.12 "$work/writing"
chmod -R u+rwX,go-rwx "$work/writing"
"$work/compare" -runs "$runs" -label 'chain exec -- true, recorded / auth order' -limit 2.0 -- \
  "$work/openclaw-auth" auth order --agent main --state-dir "$work/writing/.openclaw" -- \
  "$work/openclaw-auth" chain exec -q --agent main --state-dir "$work/writing/.openclaw" -- true

# What a shell waits for at a press of the tab key: agents, providers, profiles
# and sessions out of the home, checks, releases. A person notices 30 ms.
tab() { # WORDS before the cursor
  compare "completion behind '$*' / hello world" 5.0 "$work/openclaw-auth" __complete -- --demo "$@" ''
}
tab --agent
tab auth order
tab auth reset
tab chain explain --session
tab doctor --only
tab rules show

if command -v jq > /dev/null; then
  mkdir -p "$work/state/agents/main/sessions"
  key=$("$work/compare" -sessions "$work/state/agents/main/sessions/sessions.json" -megabytes 200)
  "$work/compare" -runs 3 -label "one session of 200 MB / jq --arg k KEY '.[\$k]'" -limit 0.34 -- \
    jq --arg k "$key" '.[$k]' "$work/state/agents/main/sessions/sessions.json" -- \
    "$work/openclaw-auth" chain explain --session "$key" --state-dir "$work/state" --rules 2026.5.12
fi

# What happened in 1 GB of log, made of a real one again and again.
if command -v rg > /dev/null && command -v jq > /dev/null; then
  mkdir "$work/past"
  tar -xzf testdata/history/2026.7.1.tar.gz -C "$work/past"
  for _ in $(seq 100); do cat "$work"/past/tmp-openclaw/*.log; done > "$work/part.log"
  for _ in $(seq 60); do cat "$work/part.log"; done > "$work/gigabyte.log"
  names='embedded_run_agent_end|embedded_run_failover_decision|auth_profile_failure_state_updated|model_fallback_decision'
  home=$HOME HOME=$work/nowhere # no home but the log
  "$work/compare" -runs 7 -label "chain history of 1 GB / rg -c of the names of the events" -limit 2.5 -- \
    rg -c "$names" "$work/gigabyte.log" -- "$work/openclaw-auth" chain history --log "$work/gigabyte.log"
  "$work/compare" -runs 1 -label "chain history of 1 GB / jq selecting the events" -limit 0.066 -- \
    jq -c 'select((."1" | type) == "object" and ."1".event)' "$work/gigabyte.log" -- \
    "$work/openclaw-auth" chain history --log "$work/gigabyte.log"
  HOME=$home
fi

go test ./auth -run '^$' -bench 'Order' -benchtime 0.3s
go test ./chain/history -run '^$' -bench . -benchtime 1s
go test ./doctor -run '^$' -bench 'Examine' -benchtime 1s # 200 agents
