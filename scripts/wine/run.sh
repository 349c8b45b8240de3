#!/usr/bin/env bash
# Runs a program of Windows under wine, in a prefix of its own:
#
#   scripts/wine/run.sh openclaw-auth.exe version
#   GOOS=windows go test -short -exec scripts/wine/run.sh ./state/...   (with the script's absolute path)
#
# Needs Debian's packages wine and gcc-mingw-w64-x86-64-win32; the latter builds
# a library that Go programs need and Wine 8.0 lacks.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export WINEPREFIX=${OPENCLAW_AUTH_WINE:-${XDG_CACHE_HOME:-$HOME/.cache}/openclaw-auth-wine} WINEDEBUG=-all
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then
  mkdir -p "$WINEPREFIX"
  wineboot --init > /dev/null 2>&1
  wineserver --wait
  x86_64-w64-mingw32-gcc -shared -O2 -o "$library.new" "$here/bcryptprimitives.c" -ladvapi32
  mv "$library.new" "$library"
fi
exec wine "$@"
