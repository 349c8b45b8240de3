#!/usr/bin/env bash
# Makes a release.
#
#   scripts/release.sh --snapshot   everything that a release consists of, into dist/; nothing is published
#   scripts/release.sh 0.1.0        checks, tags v0.1.0 and pushes the tag; .github/workflows/release.yml does the rest
#   scripts/release.sh --publish    what that workflow runs on the tag: GitHub release, npm packages, image, cask
#
# Needs Go, Node with npm, jq and buildah. Publishing needs the GITHUB_TOKEN that
# GitHub gives to a workflow, and one secret: NPM_TOKEN, as NODE_AUTH_TOKEN.
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: scripts/release.sh --snapshot | VERSION | --publish"

need() { # PROGRAM...
  local program
  for program; do
    if ! command -v "$program" > /dev/null; then
      echo "$program is needed for a release and is not installed" >&2
      exit 2
    fi
  done
}

# notes prints the section of a version in CHANGELOG.md.
notes() { # VERSION
  awk -v heading="## $1" 'index($0, "## ") == 1 { found = index($0 " ", heading " ") == 1; next } found' CHANGELOG.md
}

release() { # FLAG...
  need node npm jq buildah git
  local goreleaser cyclonedx
  goreleaser=$(scripts/tool.sh goreleaser)
  cyclonedx=$(scripts/tool.sh cyclonedx-gomod)
  if [ -z "$(git remote)" ]; then # goreleaser wants one, else it forgets the commit too
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/OWNER/openclaw-auth.git
  fi
  PATH=$(dirname "$cyclonedx"):$PATH GOFLAGS='' "$goreleaser" release --clean "$@"
  mkdir dist/npm dist/images
  cp build/npm/*.tgz dist/npm/
  cp build/images/*.tar dist/images/
}

tag() { # VERSION
  local version=$1
  if [ -n "$(git status --porcelain)" ]; then
    echo "uncommitted changes: commit them first" >&2
    exit 1
  fi
  if [ -z "$(notes "$version")" ]; then
    echo "CHANGELOG.md has no section ## $version" >&2
    exit 1
  fi
  if git rev-parse --quiet --verify "refs/tags/v$version" > /dev/null; then
    echo "v$version exists already" >&2
    exit 1
  fi
  .ci/run
  git tag --annotate "v$version" --message "openclaw-auth $version"
  git push origin "v$version"
}

publish() {
  local tag version owner
  tag=$(git describe --exact-match --tags)
  version=${tag#v}
  owner=${GITHUB_REPOSITORY_OWNER:?}
  notes "$version" > build-notes.md
  release --release-notes build-notes.md
  rm build-notes.md
  # The launcher last: it must not be installable before what it launches.
  local package
  for package in dist/npm/openclaw-auth-{linux,darwin,win32}-*.tgz dist/npm/openclaw-auth-"$version".tgz; do
    npm publish --access public --provenance "$package"
  done
  images "docker://ghcr.io/${owner,,}/openclaw-auth" "$version"
}

# images pushes one manifest for all machines, under the version and as latest.
images() { # REPOSITORY VERSION
  local repository=$1 version=$2 work archive
  work=$(mktemp -d)
  local storage=(--storage-driver vfs --root "$work/root" --runroot "$work/run")
  buildah "${storage[@]}" manifest create openclaw-auth > /dev/null
  for archive in dist/images/*_"$version"_*.tar; do
    buildah "${storage[@]}" manifest add openclaw-auth "oci-archive:$archive" > /dev/null
  done
  if [ -n "${GITHUB_TOKEN:-}" ]; then
    buildah "${storage[@]}" login --username "${GITHUB_ACTOR:-token}" --password-stdin "$(cut -d/ -f3 <<< "$repository")" <<< "$GITHUB_TOKEN"
  fi
  local tag
  for tag in "$version" latest; do
    buildah "${storage[@]}" manifest push --all openclaw-auth "$repository:$tag"
  done
  rm -rf "$work"
}

case ${1:-} in
  --snapshot) release --snapshot ;;
  --publish) publish ;;
  *)
    if ! [[ ${1:-} =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
      echo "$usage" >&2
      exit 2
    fi
    tag "$1"
    ;;
esac
