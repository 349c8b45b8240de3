#!/usr/bin/env bash
# Builds the static binary for every supported system into dist/, and says how
# large each is. usage: scripts/build.sh [VERSION]
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p dist
for system in linux darwin windows; do
  for machine in amd64 arm64; do
    name=openclaw-auth-$system-$machine
    [ "$system" = windows ] && name=$name.exe
    GOOS=$system GOARCH=$machine scripts/build-one.sh "dist/$name" "${1:-}"
    printf '%6.1f MB  %s\n' "$(wc -c < "dist/$name" | awk '{print $1/1000000}')" "dist/$name"
  done
done
