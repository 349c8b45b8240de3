#!/usr/bin/env bash
# Prints the path of a staticcheck, installed into the build cache if need be.
set -euo pipefail
if command -v staticcheck; then
  exit 0
fi
dir=${XDG_CACHE_HOME:-$HOME/.cache}/openclaw-auth-tools
if [ ! -x "$dir/staticcheck" ]; then
  GOFLAGS= GOBIN=$dir go install honnef.co/go/tools/cmd/staticcheck@2026.1 >&2 ||
    GOFLAGS= GOBIN=$dir go install honnef.co/go/tools/cmd/staticcheck@latest >&2
fi
echo "$dir/staticcheck"
