#!/usr/bin/env bash
# Tests completion in each installed shell: always in bash, and in fish and zsh if they are installed.
# usage: completion.sh HEAPCHECK
set -euo pipefail
unset COLUMNS FPATH

program=$(readlink -f -- "$1")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"
touch dump.mvmheap
failed=0

# expect SHELL LINE FOUND EXPECTED: FOUND and EXPECTED are words, one on each line.
expect() {
  [[ $3 == "$4" ]] || {
    printf 'FAILED: %s: %s: found %s, expected %s\n' "$1" "$2" "${3//$'\n'/ }" "${4//$'\n'/ }" >&2
    failed=1
  }
}

# offers_of_bash WORD...: the completions that bash offers for the last word; `(files)` if it completes file names.
offers_of_bash() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  offers_files=
  _heapcheck
  if [[ -n $offers_files ]]; then echo '(files)'; fi
  printf '%s\n' "${COMPREPLY[@]}"
}
# The real compopt works only during a completion.
# shellcheck disable=SC2317 # _heapcheck calls it
compopt() { [[ $* == '-o default' ]] && offers_files=1; }

try_bash() {
  local expected=$1
  shift
  expect bash "$*" "$(offers_of_bash heapcheck "$@" | sed '/^$/d')" "$expected"
}

"$program" completion bash >completion.bash
# shellcheck source=/dev/null
. ./completion.bash
[[ $(complete -p heapcheck) == 'complete -F _heapcheck heapcheck' ]]
try_bash validate val
try_bash $'--help\n--version\n--verbose' --
try_bash $'--output\n--output-file' validate --output
try_bash $'text\njson' info --output ''
try_bash json info --output = j # bash splits words at `=` and `:`
try_bash $'mvmheap-v2\nmvmheap-v2:increments' convert --to mvmheap-v2
try_bash increments convert --to mvmheap-v2 : i
try_bash '(files)' convert --output-file dump
try_bash '(files)' convert -o dump
try_bash '(files)' validate --quiet dump
try_bash '(files)' validate a b c
try_bash '' validate --jobs ''
try_bash all diff --snapshots ''
try_bash mvm3.toc.entry-bounds explain mvm3.toc.entry-b
try_bash '' explain mvm3.toc.entry-bounds mvm3
try_bash objects top dump.mvmheap --limit 3 o
try_bash by top dump.mvmheap objects ''
try_bash $'size\ncount\nretained' top dump.mvmheap objects by ''
try_bash 'size>' find dump.mvmheap objects type=x s
try_bash $'bash\nzsh\nfish' completion ''

# In a real shell on a terminal, as if a person typed the line. The program is a function that records its arguments.
python3 - <<'END'
import os, pty
child, terminal = pty.fork()
if child == 0:
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
os.write(terminal, b"source ./completion.bash; heapcheck() { echo $* >typed; }\n"
         b"heapcheck conv\t--to=heapsn\t--outp\tdum\t; exit\n")
try:
    while os.read(terminal, 4096):
        pass
except OSError:  # the shell has ended
    pass
os.waitpid(child, 0)
END
expect 'bash on a terminal' 'conv, heapsn, outp, dum' "$(cat typed)" \
  'convert --to=heapsnapshot --output-file dump.mvmheap'

if command -v fish >/dev/null; then
  "$program" completion fish >heapcheck.fish
  fish --no-execute heapcheck.fish
  # try_fish EXPECTED LINE
  try_fish() {
    expect fish "$2" "$(HOME=$scratch fish --private -c "source heapcheck.fish; complete -C '$2'" | cut -f 1)" "$1"
  }
  try_fish validate 'heapcheck val'
  try_fish $'--output\n--output-file' 'heapcheck validate --outp'
  try_fish $'json\ntext' 'heapcheck info --output '
  try_fish $'mvmheap-v2\nmvmheap-v2:increments' 'heapcheck convert --to mvmheap-v2'
  try_fish dump.mvmheap 'heapcheck convert -o du'
  try_fish dump.mvmheap 'heapcheck validate --quiet du'
  try_fish mvm3.toc.entry-bounds 'heapcheck explain mvm3.toc.entry-b'
  try_fish 'size>' 'heapcheck find dump.mvmheap objects si'
fi

if command -v zsh >/dev/null; then
  mkdir functions
  "$program" completion zsh >functions/_heapcheck
  zsh -n functions/_heapcheck
  # try_zsh EXPECTED LINE: types the line and a tab, and reads the line as zsh has completed it.
  try_zsh() {
    expect zsh "$2" "$(zsh -f "$scratch/typed.zsh" "$2")" "$1"
  }
  cat >typed.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -d $PWD/functions/cache"
zpty -w shell 'keep() { print -r -- $BUFFER >typed; exit }; zle -N keep; bindkey "^X" keep; print rea''dy'
zpty -r shell shown '*ready*'
zpty -w -n shell "$1"$'\t\x18'
zpty -r shell shown '*never*'
cat typed
END
  try_zsh 'heapcheck validate ' 'heapcheck val'
  try_zsh 'heapcheck info --output=json ' 'heapcheck info --output=j'
  try_zsh 'heapcheck convert --to mvmheap-v2:increments ' 'heapcheck convert --to mvmheap-v2:'
  try_zsh 'heapcheck convert -o dump.mvmheap ' 'heapcheck convert -o du'
  try_zsh 'heapcheck validate --quiet dump.mvmheap ' 'heapcheck validate --quiet du'
  try_zsh 'heapcheck explain mvm3.toc.entry-bounds ' 'heapcheck explain mvm3.toc.entry-b'
  try_zsh 'heapcheck top dump.mvmheap objects by retained ' 'heapcheck top dump.mvmheap objects by r'
fi
exit "$failed"
