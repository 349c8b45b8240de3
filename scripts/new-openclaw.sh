#!/usr/bin/env bash
# Asks npm for stable releases of OpenClaw that are newer than the table of
# releases. If there are any, records what the newest one answers and writes a
# report on what differs: its first line is the title of an issue. Without a new
# release it writes nothing.
# usage: scripts/new-openclaw.sh REPORT.md
set -euo pipefail
if [ $# -ne 1 ]; then
  echo "usage: scripts/new-openclaw.sh REPORT.md" >&2
  exit 2
fi
report=$(realpath "$1")
cd "$(dirname "$0")/.."
known=$(go run ./cmd/openclaw-auth version --json | jq -r .newestRules)
new=$(npm view openclaw versions --json | jq -r '.[]' | grep -xE '[0-9]{4}\.[0-9]+\.[0-9]+' |
  { cat; echo "$known"; } | sort -V -u | sed "1,/^${known//./\\.}\$/d")
if [ -z "$new" ]; then
  echo "nothing newer than $known"
  exit 0
fi
newest=$(tail -n 1 <<< "$new")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
code=0
{
  go run ./scripts/record setup "$work/openclaw" "$newest" &&
    go run ./scripts/record run "$newest" &&
    go run ./scripts/record fit "$newest"
} > "$work/fit" 2>&1 || code=$?
{
  echo "# OpenClaw $newest is not in the table of releases"
  echo
  echo "Newer than $known: $(paste -sd ' ' <<< "$new" | sed 's/ /, /g')."
  echo
  if [ "$code" != 0 ]; then echo "The recorder ended with code $code; its last lines:"; else echo "What the recorder found for $newest:"; fi
  echo
  printf '%s\n' '```'
  tail -n 200 "$work/fit"
  printf '%s\n' '```'
  echo
  echo "CONTRIBUTING.md says how to add a release."
} > "$report"
echo "newer than $known: $new"
