#!/usr/bin/env bash
# Runs examples/guard with the test runners that are installed: its tests pass, and fail with a planted leak.
# usage: examples.sh HEAPCHECK [NPM-FOLDER]; exits with 77 if no runner is there
# NPM-FOLDER has the packages node, vitest, jest and @playwright/test, whose tests are run, too.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
HEAPCHECK=$(readlink -f -- "$1")
modules=${2:+$(readlink -f -- "$2")/node_modules}
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
  [[ -z $modules ]] || ln -s -- "$modules" "$scratch/guard/node_modules"
  (cd -- "$scratch/guard" && "$@") >"$output" 2>&1 || { cat -- "$output"; fail "$name: a test fails without a leak"; }
  grep -qF -- "$line" "$scratch/guard/$file" || fail "$name: $file has no line with $line"
  grep -vF -- "$line" "$root/examples/guard/$file" >"$scratch/guard/$file"
  if (cd -- "$scratch/guard" && "$@") >"$output" 2>&1; then fail "$name: no test fails with a leak"; fi
  grep -q 'found a leak that grew by .*Session' "$output" || { cat -- "$output"; fail "$name: the leak is not named"; }
  printf '%s: passed\n' "$name"
}

has_node() { command -v node >/dev/null && node --test --help >/dev/null 2>&1; }
has_pytest() { command -v chromium >/dev/null && command -v pytest-3 >/dev/null && /usr/bin/python3 -c 'import websocket' 2>/dev/null; }

readonly deletion='this.sessions.delete(visitor);'
if has_node; then check node shop.js "$deletion" node --test node/; fi
if has_pytest; then check pytest shop.js "$deletion" pytest-3 -p no:cacheprovider pytest; fi
if command -v raku >/dev/null; then
  # shellcheck disable=SC2016 # the variables are Raku's
  check raku raku/Shop.rakumod '%!sessions{$visitor}:delete;' raku -I raku raku/shop.rakutest
fi
if [[ -n $modules ]]; then
  export PATH=$modules/.bin:$PATH
  check vitest shop.js "$deletion" vitest run --dir vitest
  check jest shop.js "$deletion" jest --config jest/jest.config.js
  if CHROMIUM=$(command -v chromium); then
    export CHROMIUM
    check playwright shop.js "$deletion" playwright test --config playwright/playwright.config.js
  fi
fi
[[ -n $ran ]] || exit 77
