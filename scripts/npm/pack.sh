#!/usr/bin/env bash
# Packs the npm package of one system into build/npm, and with that of
# linux/amd64 the one that people install, which takes the right one of them.
# usage: scripts/npm/pack.sh OS ARCH VERSION BINARY
set -euo pipefail
os=$1 arch=$2 version=$3 binary=$(readlink -f "$4")
cd "$(dirname "$0")/../.."
program=openclaw-auth
# Node's names for systems and machines.
if [ "$os" = windows ]; then os=win32 program=openclaw-auth.exe; fi
[ "$arch" = amd64 ] && arch=x64
mkdir -p build/npm
out=$PWD/build/npm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
repository="git+https://github.com/${GITHUB_REPOSITORY:-OWNER/openclaw-auth}.git"

pack() { # DIRECTORY
  cp LICENSE "$1/"
  chmod -R u=rwX,go=rX "$1"
  (cd "$1" && npm pack --silent --pack-destination "$out" > /dev/null)
}

name=openclaw-auth-$os-$arch
mkdir -p "$work/$name/bin"
install -m 755 "$binary" "$work/$name/bin/$program"
cp THIRD_PARTY_NOTICES "$work/$name/"
printf '# %s\n\nThe binary of [openclaw-auth](https://www.npmjs.com/package/openclaw-auth) for %s on %s. Install `openclaw-auth` instead.\n' "$name" "$os" "$arch" > "$work/$name/README.md"
jq -n --arg name "$name" --arg version "$version" --arg os "$os" --arg cpu "$arch" --arg repository "$repository" '{
  name: $name, version: $version, description: "openclaw-auth for \($os) on \($cpu)", license: "MIT",
  repository: {type: "git", url: $repository}, os: [$os], cpu: [$cpu], preferUnplugged: true,
}' > "$work/$name/package.json"
pack "$work/$name"

if [ "$name" = openclaw-auth-linux-x64 ]; then
  mkdir "$work/main"
  cp scripts/npm/{cli.js,index.js,index.d.ts,README.md} "$work/main/"
  jq -n --arg version "$version" --arg repository "$repository" '{
    name: "openclaw-auth", version: $version, license: "MIT",
    description: "Which credential and which model OpenClaw takes next, and why: explains, checks and repairs its auth profiles and failover state",
    keywords: ["openclaw", "auth", "failover", "doctor", "cli"],
    repository: {type: "git", url: $repository},
    bin: {"openclaw-auth": "cli.js"}, main: "index.js", types: "index.d.ts", engines: {node: ">=18"},
    optionalDependencies: ([["linux", "darwin", "win32"][] as $os | ["x64", "arm64"][] | {("openclaw-auth-\($os)-\(.)"): $version}] | add),
  }' > "$work/main/package.json"
  pack "$work/main"
fi
