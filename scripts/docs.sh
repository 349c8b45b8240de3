#!/usr/bin/env bash
# Writes the page of docs/ that is made from the program: releases.md, from the
# table of releases. With --check, says what differs from the file that is there,
# and fails.
# usage: scripts/docs.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/openclaw-auth" ./cmd/openclaw-auth
program() { env -i HOME="$work" "$work/openclaw-auth" "$@"; }

releases() {
  cat <<'HEAD'
# Releases and their rules

OpenClaw changed how it picks credentials and models with almost every release. What differs is a table in this program; this
page is made from it by `scripts/docs.sh`.

Each answer follows the rules of one release: the one that `--rules` names, or the one that the home shows. That is the version
that wrote `openclaw.json` last, unless the files on disk are of a newer kind. Any release number will do; a release
that is not in the table follows the newest one before it. `openclaw-auth rules show RELEASE` lists all rules of a release, and
where the shipped program differs from its own documentation.

HEAD
  program rules list --json | jq -r '.lines[].line' > "$work/lines"
  local before='' line
  while read -r line; do
    if [ -z "$before" ]; then
      printf '## %s\n\nThe oldest release in the table.\n' "$line"
    else
      program rules diff "$before" "$line" --json > "$work/diff" || true # 1: something differs
      printf '\n## %s\n\n' "$line"
      jq -r 'def text: if (tojson | length) > 40 or type == "object" then null else tojson end;
        if (.changes | length) == 0 then "As \(.older)." else .changes[] |
          "- `\(.rule)`: \(.about)" +
          if (.before | text) and (.after | text) then " (`\(.before | text)` → `\(.after | text)`)" else "" end
        end' "$work/diff"
    fi
    before=$line
  done < "$work/lines"
}

releases > "$work/releases.md"
if [ "${1:-}" != --check ]; then
  cp "$work/releases.md" docs/releases.md
elif ! diff -u docs/releases.md "$work/releases.md"; then
  echo 'docs/releases.md is not what the program says: run scripts/docs.sh and commit it' >&2
  exit 1
fi
