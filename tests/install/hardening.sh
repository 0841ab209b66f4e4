#!/usr/bin/env bash
# Checks that the program has the protections from cmake/hardening.cmake, like `hardening-check` and `checksec`.
# usage: hardening.sh PROGRAM
set -euo pipefail
export LC_ALL=C

program=$1
failed=0

# expect WORDS PATTERN: fails if no line of standard input matches the pattern. Reads all input, so that the program
# that writes it does not fail.
expect() {
  grep -E -- "$2" >/dev/null || {
    printf 'FAILED: %s: found no %s, expected it\n' "$program" "$1" >&2
    failed=1
  }
}

expect 'position-independent code' 'DYN' < <(readelf -Wh "$program")
expect 'non-executable stack' 'GNU_STACK.* RW ' < <(readelf -Wl "$program")
expect 'read-only relocations' 'GNU_RELRO' < <(readelf -Wl "$program")
expect 'immediate binding' 'FLAGS_1.* NOW' < <(readelf -Wd "$program")
expect 'stack protector' ' __stack_chk_fail@' < <(readelf -W --dyn-syms "$program")
expect 'fortified function' '_chk@GLIBC' < <(readelf -W --dyn-syms "$program" | grep -v __stack_chk)
if [[ $(uname -m) == x86_64 ]]; then
  # Libraries without such code remove the note about it, so look at the code itself.
  expect 'target of an indirect branch (CET)' 'endbr64' < <(objdump -d --no-show-raw-insn "$program")
fi
exit "$failed"
