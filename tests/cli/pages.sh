#!/usr/bin/env bash
# Runs the examples of README.md and docs/*.md and compares their output with the pages.
# usage: pages.sh [--rewrite] HEAPCHECK; --rewrite puts the actual output into the pages
#
# An example is a block that begins with ```console. Each line that begins with "$ " is a command, and the lines
# after it are its output: standard output and standard error together. `echo $?` prints the exit status of the
# command before it. The commands of a page share a scratch folder that contains only a link to corpus/.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
rewrite=
if [[ ${1:-} == --rewrite ]]; then
  rewrite=1
  shift
fi
program=$(readlink -f -- "$1")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

mkdir -- "$scratch/bin" "$scratch/pages"
ln -s -- "$program" "$scratch/bin/heapcheck"
export PATH=$scratch/bin:$PATH
unset NO_COLOR

set_status() { return "$1"; }

# run_commands FOLDER: runs the commands on standard input and prints each one, with its output after it.
run_commands() {
  local command status=0
  cd -- "$1"
  set +e
  while IFS= read -r command <&3; do
    printf '$ %s\n' "$command"
    # `$?` is the status of the previous command, even if that command is in an earlier block.
    set_status "$status"
    eval "$command" 2>&1 </dev/null
    status=$?
  done 3<&0
}

# run_page PAGE: prints the page with the actual output in its examples.
run_page() {
  local line folder in_example='' commands=()
  folder=$(mktemp -d -p "$scratch")
  ln -s -- "$root/corpus" "$folder/corpus"
  while IFS= read -r line; do
    if [[ -n $in_example && $line == '```' ]]; then
      (run_commands "$folder" < <(printf '%s\n' "${commands[@]}"))
      in_example=''
    elif [[ -n $in_example && $line == '$ '* ]]; then
      commands+=("${line#\$ }")
    fi
    [[ -n $in_example ]] || printf '%s\n' "$line"
    if [[ $line == '```console' ]]; then
      in_example=1
      commands=()
    fi
  done <"$1"
  [[ -z $in_example ]] || {
    printf 'FAILED: %s: the last example has no end\n' "$1" >&2
    return 1
  }
}

failed=0 count=0
cd -- "$root"
for page in README.md docs/*.md; do
  actual=$scratch/pages/$(basename -- "$page")
  run_page "$page" >"$actual"
  count=$((count + $(grep -cx '```console' "$page" || true)))
  if [[ -n $rewrite ]]; then
    cat -- "$actual" >"$page"
  elif ! diff -u --label "$page" --label "$page, as it should be" -- "$page" "$actual"; then
    failed=1
  fi
done
((count > 5)) || {
  printf 'FAILED: found %d examples, expected more\n' "$count"
  failed=1
}
if ((failed)); then printf 'To put the actual output into the pages, run: tests/cli/pages.sh --rewrite HEAPCHECK\n'; fi
exit "$failed"
