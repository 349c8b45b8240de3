#!/usr/bin/env bash
# Gives the Go module the path that it is imported by, once it has a home:
# rewrites go.mod, every import, and the paths in documentation, then builds
# and vets. Running it again with another path moves it on.
# usage: scripts/module-path.sh example.org/you/openclaw-auth
set -euo pipefail
cd "$(dirname "$0")/.."
new=${1:-}
if [ $# -ne 1 ] || ! [[ $new =~ ^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+$ ]]; then
  echo "usage: scripts/module-path.sh HOST/OWNER/openclaw-auth, for example example.org/you/openclaw-auth" >&2
  exit 2
fi
old=$(go list -m)
if [ "$old" = "$new" ]; then
  echo "the module is $new already"
  exit 0
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "uncommitted changes: commit or stash them first, so that this edit can be reviewed alone" >&2
  exit 1
fi

# An import stands alone on its line, with its name at most. That leaves
# strings such as the "openclaw-auth/status/v1" of a JSON schema as they are.
quoted=$(printf %s "$old" | sed 's/[.]/\\./g')
import='^([[:space:]]*(import[[:space:]]+)?([A-Za-z0-9_.]+[[:space:]]+)?")'"$quoted"'((/[^"]*)?"[[:space:]]*)$'
git grep -lE "$import" | while read -r file; do
  sed -E "s|$import|\1$new\4|" "$file" > "$file.new"
  cat "$file.new" > "$file" # keeps the mode
  rm "$file.new"
done
go mod edit -module "$new"
git diff --name-only -z -- "*.go" | xargs -0 gofmt -w

CGO_ENABLED=0 go build ./...
CGO_ENABLED=0 go vet ./...
echo "the module is $new now, in $(git diff --name-only | wc -l | tr -d ' ') files: review them, and say in docs/importing.md that it can be installed"
