# shellcheck shell=bash
# What the live tests share: a scratch folder to work in, and heapcheck held to its exit statuses.
# To be sourced with the path of heapcheck as first argument, with `set -euo pipefail`.

heapcheck=$1
folder=$(mktemp -d)
writer=
trap '[[ -z $writer ]] || kill -KILL "$writer" 2>/dev/null || true; rm -rf -- "$folder"' EXIT
cd -- "$folder"

# require PROGRAM: ends with 77, which ctest shows as skipped, where it is not installed.
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
  local required=$1 status=0
  shift
  "$heapcheck" "$@" >output 2>&1 || status=$?
  cat output
  ((status == required)) || fail "heapcheck $* ends with $status, required is $required"
}

# expect_sound FILE: valid, without a warning.
expect_sound() {
  expect 0 validate --fail-level warning "$1"
}
