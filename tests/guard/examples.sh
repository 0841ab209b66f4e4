#!/usr/bin/env bash
# Runs examples/guard with the test runners that are installed: its tests pass, and fail with a planted leak.
# usage: examples.sh HEAPCHECK; exits with 77 if no runner is there
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
HEAPCHECK=$(readlink -f -- "$1")
export HEAPCHECK
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
ran=

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  exit 1
}

# check NAME FILE LINE COMMAND...: the command passes with the example and, without the line of the file, fails and
# names the class of what leaks.
check() {
  local name=$1 file=$2 line=$3 output=$scratch/output
  shift 3
  ran=1
  rm -rf -- "$scratch/guard"
  cp -r -- "$root/examples/guard" "$scratch/guard"
  (cd -- "$scratch/guard" && "$@") >"$output" 2>&1 || { cat -- "$output"; fail "$name: a test fails without a leak"; }
  grep -qF -- "$line" "$scratch/guard/$file" || fail "$name: $file has no line with $line"
  grep -vF -- "$line" "$root/examples/guard/$file" >"$scratch/guard/$file"
  if (cd -- "$scratch/guard" && "$@") >"$output" 2>&1; then fail "$name: no test fails with a leak"; fi
  grep -q 'found a leak that grew by .*Session' "$output" || { cat -- "$output"; fail "$name: the leak is not named"; }
  printf '%s: passed\n' "$name"
}

has_node() { command -v node >/dev/null && node --test --help >/dev/null 2>&1; }

if has_node; then check node shop.js 'this.sessions.delete(visitor);' node --test node/; fi
[[ -n $ran ]] || exit 77
