#!/usr/bin/env bash
# Writes what a release carries beside the binary: man pages (plain, and
# compressed as packages have them) and completions, from the command tree.
# usage: scripts/release-docs.sh DIR
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1
rm -rf build
mkdir -p "$dir/man-gz" "$dir/completions"
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
scripts/build-one.sh "$program/openclaw-auth"
"$program/openclaw-auth" docs man "$dir/man"
for page in "$dir"/man/*; do
  gzip -9n < "$page" > "$dir/man-gz/$(basename "$page").gz"
done
"$program/openclaw-auth" completion bash > "$dir/completions/openclaw-auth.bash"
"$program/openclaw-auth" completion zsh > "$dir/completions/_openclaw-auth"
"$program/openclaw-auth" completion fish > "$dir/completions/openclaw-auth.fish"
"$program/openclaw-auth" completion powershell > "$dir/completions/openclaw-auth.ps1"
