#!/usr/bin/env bash
# Runs the example for Node.js many times: without a leak, it must always pass, and with one of about 1 % of the heap in
# each step, it must always fail and name the class of what leaks. Run it on a busy machine.
# usage: repeat.sh HEAPCHECK COUNT [JOBS]
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
HEAPCHECK=$(readlink -f -- "$1")
export HEAPCHECK
count=$2
jobs=${3:-$(nproc)}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
export scratch

# run_once KIND NUMBER: prints `KIND passed`, `KIND named`, or `KIND failed` with the output.
run_once() {
  local output
  if output=$(cd -- "$scratch/$1" && node --test node/ 2>&1); then
    echo "$1 passed"
  elif [[ $output =~ found\ a\ leak\ that\ grew\ by\ [^:]*:\ [^\\n]*Session ]]; then
    echo "$1 named"
  else
    printf '%s failed\n%s\n' "$1" "$output"
  fi
}
export -f run_once

for kind in sound leaking; do cp -r -- "$root/examples/guard" "$scratch/$kind"; done
# Half of the sessions of a step are 1 % of the heap, which has 3.5 MiB.
sed -i 's/this.sessions.delete(visitor);/if (visitor % 2) &/' "$scratch/leaking/shop.js"
for ((i = 0; i < count; ++i)); do printf 'sound\nleaking\n'; done |
  xargs -P "$jobs" -I '{}' bash -c 'run_once {}' >"$scratch/results"
grep -vxE 'sound passed|leaking named' "$scratch/results" || true
passed=$(grep -cx 'sound passed' "$scratch/results" || true)
named=$(grep -cx 'leaking named' "$scratch/results" || true)
printf '%d of %d runs passed without a leak, and %d of %d failed with one and named it\n' \
  "$passed" "$count" "$named" "$count"
((passed == count && named == count))
