#!/usr/bin/env bash
# Writes the pages of docs/ that are made from the program: releases.md from the
# table of releases, json.md from the schemas of JSON documents, reference/ from
# the commands' help. With --check, says what differs from the files that are
# there, and fails.
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

# documents is the page of JSON documents: the members of each schema, with their
# types, those of lists behind [] and those of objects behind a point.
documents() {
  cat <<'HEAD'
# JSON documents

What `--json` writes, per command. This page is made from the program by `scripts/docs.sh`; `openclaw-auth docs schema NAME` prints
the JSON Schema itself, which is also in [testdata/schema](../testdata/schema).

Every document names its schema in the member `schema`, as `openclaw-auth/NAME`. Members may be added to a document; whatever would
break a reader (a member that goes, another type, one that becomes optional) gets a new version, and the old schema stays. Times are
Unix milliseconds, and stand beside a member with `Time` at the end of its name as text in UTC.

`--fields`, `--jq` and `--template` choose from any of these documents:

```sh
openclaw-auth auth order --fields agent,providers.order
openclaw-auth status --jq '.agents[] | select(.usable | not) | .id'
openclaw-auth auth list --template '{{range .profiles}}{{tablerow .id .state}}{{end}}'
```

`doctor --json` is OpenClaw's own form with more members, on one line; `chain exec --json` writes a line per attempt on stderr, and
`state watch --json` one per change; `doctor --fix --plan FILE` writes `doctor-plan` to the file.

HEAD
  local name
  program docs schema | while read -r name; do
    program docs schema "$name" > "$work/schema"
    printf '## %s\n\n| member | type |\n|---|---|\n' "$name"
    jq -r 'def kind: if has("const") then "`\(.const)`"
        elif .anyOf then .anyOf[0] | kind + " or null"
        elif (.type | type) == "array" then .type | join(" or ")
        else .type // "any" end;
      def walk($at; $required): (.anyOf[0]? // .) as $s |
        if $s.type == "array" then $s.items | walk($at + "[]"; $required)
        elif $s.properties then $s.properties | to_entries[] | .key as $k |
          "| `\(($at + "." + $k) | ltrimstr("."))` | \(.value | kind)\(if ($s.required // []) | index($k) then "" else ", may be missing" end) |",
          (.value | walk($at + "." + $k; true))
        elif $s.additionalProperties and ($s.additionalProperties | type) == "object" then $s.additionalProperties | walk($at + ".*"; true)
        else empty end;
      walk(""; true)' "$work/schema"
    echo
  done
}

pages=$work/docs
mkdir "$pages"
releases > "$pages/releases.md"
documents > "$pages/json.md"
program docs markdown "$pages/reference" > /dev/null

if [ "${1:-}" != --check ]; then
  rm -rf docs/reference
  cp -r "$pages/." docs/
else
  wrong=
  for page in releases.md json.md reference; do
    diff -ru "docs/$page" "$pages/$page" || wrong=yes
  done
  if [ -n "$wrong" ]; then
    echo 'docs/ is not what the program says: run scripts/docs.sh and commit it' >&2
    exit 1
  fi
fi
