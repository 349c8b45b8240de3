#!/usr/bin/env bash
# Builds the static binary for every supported system into dist/, and says how
# large each is. usage: scripts/build.sh [VERSION]
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:-}
mkdir -p dist
for system in linux darwin windows; do
  for machine in amd64 arm64; do
    name=openclaw-auth-$system-$machine
    [ "$system" = windows ] && name=$name.exe
    CGO_ENABLED=0 GOOS=$system GOARCH=$machine \
      go build -trimpath -ldflags "-s -w -X main.version=$version" -o "dist/$name" ./cmd/openclaw-auth
    printf '%6.1f MB  %s\n' "$(du -k "dist/$name" | awk '{print $1/1000}')" "dist/$name"
  done
done
