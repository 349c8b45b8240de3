#!/usr/bin/env bash
# The steps of action.yml, which hands its inputs over in the environment.
# usage: scripts/action.sh choose|install|check
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${RUNNER_TEMP:?}/openclaw-auth-bin
program=$bin/openclaw-auth
if [ "${RUNNER_OS:-}" = Windows ]; then program=$program.exe; fi

# choose tells which release is downloaded, or that one is built from source.
choose() {
  local version=${INPUT_VERSION:-}
  if [ -z "$version" ]; then
    version=source
    if [[ ${ACTION_REF:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then version=$ACTION_REF; fi
  fi
  if ! [[ $version =~ ^(source|v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)$ ]]; then
    echo "::error title=openclaw-auth::version must be source or a release such as v0.1.0, not $(printf %q "$version")"
    exit 2
  fi
  echo "version=$version" >> "$GITHUB_OUTPUT"
}

# install puts the program into $bin: downloaded and compared with the release's
# checksums, or built from the action's own commit.
install() {
  mkdir -p "$bin"
  if [ "${VERSION:?}" = source ]; then
    (cd "$here" && scripts/build-one.sh "$program")
  else
    download
  fi
  "$program" version
}

download() {
  local os arch kind=tar.gz
  case ${RUNNER_OS:?} in
    Linux) os=linux ;;
    macOS) os=darwin ;;
    Windows) os=windows kind=zip ;;
    *) echo "::error title=openclaw-auth::no release for runners of $RUNNER_OS; use version: source"; exit 2 ;;
  esac
  case ${RUNNER_ARCH:?} in
    X64) arch=amd64 ;;
    ARM64) arch=arm64 ;;
    *) echo "::error title=openclaw-auth::no release for $RUNNER_ARCH runners; use version: source"; exit 2 ;;
  esac
  local file=openclaw-auth_${VERSION#v}_${os}_$arch.$kind
  local from=${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:?}/releases/download/$VERSION
  local work
  work=$(mktemp -d "$RUNNER_TEMP/download.XXXXXX")
  curl --fail --silent --show-error --location --retry 3 --output "$work/$file" "$from/$file"
  curl --fail --silent --show-error --location --retry 3 --output "$work/SHA256SUMS" "$from/SHA256SUMS"
  (
    cd "$work"
    grep -E "  \*?$file\$" SHA256SUMS > wanted || { echo "::error title=openclaw-auth::$file is not in SHA256SUMS of $VERSION"; exit 2; }
    if command -v sha256sum > /dev/null; then sha256sum --check --quiet wanted; else shasum -a 256 --check --quiet wanted; fi
    case $kind in
      zip) unzip -q "$file" openclaw-auth.exe -d "$bin" ;;
      *) tar -xzf "$file" -C "$bin" openclaw-auth ;;
    esac
  )
  rm -rf "$work"
}

# check runs doctor with the action's inputs; the step fails as doctor does.
check() {
  local flags=(--rules "${RULES:-auto}")
  if [ -n "${CONFIG:-}" ]; then flags+=(--config "$CONFIG"); fi
  if [ -n "${STATE_DIR:-}" ]; then flags+=(--state-dir "$STATE_DIR"); fi
  local more=()
  read -ra more <<< "${ARGS:-}"
  local code=0
  OPENCLAW_AUTH=$program "$here/scripts/ci-check.sh" "${flags[@]}" ${more[@]+"${more[@]}"} || code=$?
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
  exit "$code"
}

case ${1:-} in
  choose | install | check) "$1" ;;
  *) echo "usage: scripts/action.sh choose|install|check" >&2; exit 2 ;;
esac
