#!/usr/bin/env bash
# Installs each kind of what scripts/release.sh --snapshot left in dist/ into a
# directory of its own, and runs it. What needs a program that is not here, or
# root, is skipped by name. Nothing is installed into this system.
# usage: scripts/check-release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(jq -r .version dist/metadata.json)
commit=$(jq -r .commit dist/metadata.json)
[ -d .git ] || commit= # Go records no commit in a linked work tree
machine=$(go env GOARCH)
passed=0 skipped=0

ok() { echo "  ok      $1"; passed=$((passed + 1)); }
skip() { echo "  skipped $1"; skipped=$((skipped + 1)); }
fail() { echo "  FAILED  $1" >&2; exit 1; }

# runs starts a program as it was installed: its version is the release's, and
# it shows the demo home.
runs() { # WHAT COMMAND...
  local what=$1
  shift
  local says
  says=$("$@" version)
  [[ $says == *"$version"* && $says == *"${commit:0:7}"* ]] || fail "$what: version says $says"
  "$@" --demo status > "$work/status" || fail "$what: --demo status ends with $?"
  grep -q anthropic "$work/status" || fail "$what: --demo status shows nothing"
  ok "$what"
}

has() { # WHAT DIRECTORY: man page and completions as packages place them
  local page
  page=$(find "$2/usr/share/man/man1" -name 'openclaw-auth.1.gz')
  zcat "$page" | grep -q '^\.TH' || fail "$1: the man page is none"
  if command -v man > /dev/null; then
    MANPATH=$2/usr/share/man man -P cat openclaw-auth 2> "$work/man" | grep -qi 'openclaw' || fail "$1: man shows nothing"
  fi
  bash -n "$2/usr/share/bash-completion/completions/openclaw-auth" || fail "$1: the completion of bash"
  [ -s "$2/usr/share/zsh/vendor-completions/_openclaw-auth" ] && [ -s "$2/usr/share/fish/vendor_completions.d/openclaw-auth.fish" ] ||
    fail "$1: a completion is missing"
  ok "$1: man page and completions"
}

echo "dist/ of $version"
(cd dist && ls ./*.tar.gz ./*.zip ./*.deb ./*.rpm ./*.apk ./*.cdx.json > /dev/null)
mkdir "$work/all" # SHA256SUMS names files without their directories
ln -s "$PWD"/dist/*.* "$PWD"/dist/npm/* "$PWD"/dist/images/* "$work/all/"
(cd "$work/all" && sha256sum --check --quiet "$OLDPWD/dist/SHA256SUMS") || fail "SHA256SUMS"
ok "SHA256SUMS: $(wc -l < dist/SHA256SUMS) files"

mkdir "$work/archive"
tar -xzf "dist/openclaw-auth_${version}_linux_$machine.tar.gz" -C "$work/archive"
runs archive "$work/archive/openclaw-auth"
for file in LICENSE THIRD_PARTY_NOTICES README.md CHANGELOG.md man/openclaw-auth.1 completions/openclaw-auth.{bash,fish,ps1} completions/_openclaw-auth; do
  [ -s "$work/archive/$file" ] || fail "archive: $file is missing"
done
ok "archive: man pages, completions, licences"

for bom in dist/*.cdx.json; do
  jq -e '.bomFormat == "CycloneDX" and (.components | map(.name) | any(. == "github.com/urfave/cli/v2"))' "$bom" > /dev/null || fail "$bom"
done
ok "SBOMs name what is linked in"

if command -v dpkg > /dev/null; then
  mkdir -p "$work/deb/var/lib/dpkg/"{info,updates}
  touch "$work/deb/var/lib/dpkg/"{status,available}
  dpkg --root="$work/deb" --force-not-root --log=/dev/null -i dist/openclaw-auth_*_"$machine".deb > "$work/log" 2>&1 || fail "deb: $(cat "$work/log")"
  runs deb "$work/deb/usr/bin/openclaw-auth"
  has deb "$work/deb"
else
  skip "deb: no dpkg here"
fi

if command -v rpm > /dev/null && [ "$(id -u)" = 0 ]; then
  mkdir "$work/rpm"
  rpm --root "$work/rpm" --initdb
  rpm --root "$work/rpm" -i --nodeps --nosignature "dist/openclaw-auth-"*".$(uname -m).rpm" 2> "$work/log" || fail "rpm: $(cat "$work/log")"
  runs rpm "$work/rpm/usr/bin/openclaw-auth"
  has rpm "$work/rpm"
else
  skip "rpm: needs rpm and root"
fi

mkdir "$work/apk"
tar -xzf dist/openclaw-auth_*_"$(uname -m)".apk -C "$work/apk" 2> /dev/null
grep -q '^pkgname = openclaw-auth$' "$work/apk/.PKGINFO" || fail "apk: .PKGINFO"
runs 'apk (unpacked)' "$work/apk/usr/bin/openclaw-auth"
has 'apk (unpacked)' "$work/apk"

mkdir "$work/image" "$work/root"
tar -xf "dist/images/openclaw-auth_${version}_linux_$machine.oci.tar" -C "$work/image"
blob() { echo "$work/image/blobs/$(tr : / <<< "$1")"; }
manifest=$(blob "$(jq -r '.manifests[0].digest' "$work/image/index.json")")
jq -e '.config.Entrypoint == ["/usr/bin/openclaw-auth"] and .config.User == "1000:1000"' "$(blob "$(jq -r .config.digest "$manifest")")" > /dev/null || fail "image: configuration"
for layer in $(jq -r '.layers[].digest' "$manifest"); do tar -xzf "$(blob "$layer")" -C "$work/root"; done
[ "$(find "$work/root" -type f | wc -l)" = 1 ] || fail "image: holds more than the program"
if [ "$(id -u)" = 0 ]; then
  runs 'image (chroot)' chroot --userspec=1000:1000 "$work/root" /usr/bin/openclaw-auth
else
  skip "image: chroot needs root"
fi

mkdir "$work/npm"
(
  cd "$work/npm"
  case $machine in amd64) cpu=x64 ;; *) cpu=$machine ;; esac
  npm init -y > /dev/null
  npm install --offline --no-audit --no-fund --loglevel=error "$OLDPWD/dist/npm/openclaw-auth-$version.tgz" "$OLDPWD/dist/npm/openclaw-auth-linux-$cpu-$version.tgz" > "$work/log" 2>&1
) || fail "npm: $(cat "$work/log")"
runs 'npm (npx)' env --chdir="$work/npm" npx --offline openclaw-auth
runs 'npm (the binary itself)' "$(cd "$work/npm" && node -p 'require("openclaw-auth").binaryPath()')"
if (cd "$work/npm" && npm_config_offline=true node -e 'Object.defineProperty(process, "platform", {value: "sunos"}); require("openclaw-auth").binaryPath()') 2> "$work/log"; then fail "npm: no word on an unsupported system"; fi
grep -q 'no binary for sunos' "$work/log" || fail "npm: $(cat "$work/log")"
ok "npm: says that there is no binary for sunos"

if command -v wine > /dev/null && command -v x86_64-w64-mingw32-gcc > /dev/null; then
  mkdir "$work/windows"
  (cd "$work/windows" && python3 -m zipfile -e "$OLDPWD/dist/openclaw-auth_${version}_windows_amd64.zip" .)
  runs 'windows archive (wine)' env "OPENCLAW_AUTH_WINE=$work/wine" scripts/wine/run.sh "$work/windows/openclaw-auth.exe"
else
  skip "windows: needs wine and gcc-mingw-w64-x86-64-win32"
fi

grep -q "sha256 \"$(awk -v f="openclaw-auth_${version}_darwin_arm64.tar.gz" '$2 == f { print $1 }' dist/SHA256SUMS)\"" dist/homebrew/Casks/openclaw-auth.rb || fail "cask: checksum"
ok "cask has the checksums"

echo "$passed passed, 0 failed, $skipped skipped"
