#!/usr/bin/env bash
# Writes THIRD_PARTY_NOTICES: the licence of every module that is linked into
# the program of any supported system, from the module's own files. With
# --check, says what differs from the file that is there, and fails. The SBOMs of
# a release have the versions.
# usage: scripts/notices.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
modules=$(for os in linux darwin windows; do
  CGO_ENABLED=0 GOOS=$os go list -deps -tags urfave_cli_no_docs \
    -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/openclaw-auth
done | sort -u | sed '/^$/d')

write() {
  cat <<'HEAD'
openclaw-auth is made of its own code (see LICENSE) and of the following, each
under its own licence. This file is written by scripts/notices.sh.

HEAD
  echo "$modules" | sed 's/ .*//; s/^/  /'
  echo "  SQLite, which is in the public domain, inside of go-sqlite3-wasm"
  echo "  the Go standard library and runtime"
  while read -r module dir; do
    # The repository's licences, not those of code that only its tests use.
    files=$(find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort)
    if [ -z "$files" ]; then
      echo "$module has no licence file" >&2
      exit 1
    fi
    printf '\n%s\n%s\n\n' "$(printf '%.0s=' {1..78})" "$module"
    cat $files
  done <<< "$modules"
  printf '\n%s\nThe Go standard library and runtime\n\n' "$(printf '%.0s=' {1..78})"
  cat "$(go env GOROOT)/LICENSE"
}

if [ "${1:-}" = --check ]; then
  if ! diff -u THIRD_PARTY_NOTICES <(write); then
    echo 'THIRD_PARTY_NOTICES is not what the modules say: run scripts/notices.sh and commit it' >&2
    exit 1
  fi
else
  write > THIRD_PARTY_NOTICES.new
  mv THIRD_PARTY_NOTICES.new THIRD_PARTY_NOTICES
fi
