#!/usr/bin/env bash
# Prints the path of a Go tool of the pinned version, built through the module
# proxy the first time. Tools stay out of go.mod: goreleaser alone would bring
# in 400 modules that nobody who imports this one needs.
# usage: scripts/tool.sh actionlint|cyclonedx-gomod|goreleaser|govulncheck|staticcheck
set -euo pipefail
case ${1:-} in
  actionlint) module=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 ;;
  cyclonedx-gomod) module=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 ;;
  goreleaser) module=github.com/goreleaser/goreleaser/v2@v2.17.0 ;; # the last one that Go 1.26 builds
  govulncheck) module=golang.org/x/vuln/cmd/govulncheck@v1.9.0 ;;
  staticcheck) module=honnef.co/go/tools/cmd/staticcheck@2026.1 ;;
  *) echo "usage: scripts/tool.sh actionlint|cyclonedx-gomod|goreleaser|govulncheck|staticcheck" >&2; exit 2 ;;
esac
dir=${XDG_CACHE_HOME:-$HOME/.cache}/openclaw-auth-tools/${module##*@}
if [ ! -x "$dir/$1" ]; then
  GOFLAGS='' GOOS='' GOARCH='' GOBIN=$dir go install "$module" >&2
fi
echo "$dir/$1"
