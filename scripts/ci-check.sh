#!/usr/bin/env bash
# What a pipeline runs on a home of OpenClaw, or on a configuration alone: tells
# the findings of doctor in the pipeline's own form and fails if there are any.
#
#   scripts/ci-check.sh                                  the home of this user
#   scripts/ci-check.sh --config openclaw.json           a configuration in a repository
#   scripts/ci-check.sh --state-dir DIR --skip secrets   any flags of openclaw-auth doctor
#
# OPENCLAW_AUTH   the program; otherwise openclaw-auth of PATH, else one is built from here
# SEVERITY        what fails: error, warning (the default) or info
# SARIF_FILE      a SARIF report is written there too
#
# On GitHub the findings stand beside the lines, and in the step's summary.
# Exit codes are doctor's: 0 nothing found, 1 findings, 2 usage or unreadable.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${OPENCLAW_AUTH:-$(command -v openclaw-auth || true)}
if [ -z "$program" ]; then
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  program=$built/openclaw-auth
  (cd "$here" && CGO_ENABLED=0 go build -o "$program" ./cmd/openclaw-auth)
fi

# doctor runs the checks; its exit code is kept, so that every report is written.
code=0
doctor() {
  local this=0
  "$program" doctor --severity-min "${SEVERITY:-warning}" "$@" || this=$?
  if [ "$this" -gt "$code" ]; then code=$this; fi
}

if [ -n "${SARIF_FILE:-}" ]; then
  doctor --format sarif "$@" > "$SARIF_FILE"
fi
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  doctor --format github "$@"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    doctor --format markdown "$@" >> "$GITHUB_STEP_SUMMARY"
  fi
else
  doctor --lint "$@"
fi
exit "$code"
