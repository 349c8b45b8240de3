#!/usr/bin/env bash
# Builds the static binary of this system. urfave_cli_no_docs leaves out the
# command library's manual page writer, whose Markdown reader would compile its
# regular expressions at every start of the program.
# usage: scripts/build-one.sh FILE [VERSION]
set -euo pipefail
cd "$(dirname "$0")/.."
linked=$(mktemp -d)
trap 'rm -rf "$linked"' EXIT
CGO_ENABLED=0 go build -buildvcs=auto -tags urfave_cli_no_docs -trimpath -ldflags "-s -w -X main.version=${2:-}" -o "$linked/program" ./cmd/openclaw-auth
# A copy, as an installed program is one: what the linker writes page by page
# stays in memory in single pages, and starts a tenth slower.
mkdir -p "$(dirname "$1")"
rm -f "$1"
cp "$linked/program" "$1"
