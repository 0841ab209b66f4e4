# shellcheck shell=bash
# Shared by the live tests: a scratch folder, and functions that check heapcheck's exit statuses.
# Source it with the path of heapcheck as the first argument, after `set -euo pipefail`.

heapcheck=$1
folder=$(mktemp -d)
writer=
trap '[[ -z $writer ]] || kill -KILL "$writer" 2>/dev/null || true; rm -rf -- "$folder"' EXIT
cd -- "$folder"

# require PROGRAM: exits with 77, which ctest shows as skipped, if it is not installed.
require() {
  command -v "$1" >/dev/null || {
    echo "skipped: $1 is not installed"
    exit 77
  }
}

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# expect STATUS ARGUMENT...: runs heapcheck and compares its exit status.
expect() {
  local expected=$1 status=0
  shift
  "$heapcheck" "$@" >output 2>&1 || status=$?
  cat output
  ((status == expected)) || fail "heapcheck $* exits with $status, expected $expected"
}

# expect_suspect WORD HOLDER FILE...: the first suspect must name WORD, and its path must contain HOLDER.
expect_suspect() {
  local word=$1 holder=$2
  shift 2
  expect 0 suspects "$@" --limit 1
  [[ $(head -n 1 output) == *"$word"* ]] || fail "the first suspect does not name $word"
  grep -qF -- "$holder" output || fail "the path does not contain $holder"
}

# expect_sound FILE: the file must be valid and have no warnings.
expect_sound() {
  expect 0 validate --fail-level warning "$1"
}
