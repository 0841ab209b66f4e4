# Functions for scripts that run several steps and report all that fail. Source this in the root folder of the tree.
# shellcheck shell=bash

failed=()
logs=build/ci

# step NAME COMMAND...: runs the command, and continues even if it fails.
step() {
  local name=$1 status=0 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  # This must not be a condition, because that would disable `set -e` inside.
  set +e
  (
    set -e
    "$@"
  ) 2>&1 | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  set -e
  if ((status == 0)); then
    printf '== %s: ok, %d s\n' "$name" $((SECONDS - start))
  else
    printf '== %s: FAILED (status %d), %d s\n' "$name" "$status" $((SECONDS - start))
    failed+=("$name")
  fi
}

# start_steps: removes the logs of the last run.
start_steps() {
  rm -rf -- "$logs"
  mkdir -p -- "$logs"
}

# print_failed_steps: prints the last lines of the failed steps.
print_failed_steps() {
  local name
  printf '\n== %d steps failed, after %d s\n' "${#failed[@]}" "$SECONDS"
  for name in "${failed[@]}"; do
    printf '\n== last lines of: %s\n' "$name"
    sed '/ Passed  /d; /^ *Start /d' "$logs/$name.log" | tail -n 25
  done
}
