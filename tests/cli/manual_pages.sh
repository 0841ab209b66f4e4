#!/usr/bin/env bash
# Formats manual pages and fails if that causes a warning. Exits with 77, which ctest shows as skipped, without man(1).
# usage: manual_pages.sh PAGE FOLDER, where FOLDER has the pages of the commands
set -euo pipefail
command -v man >/dev/null || exit 77
export LC_ALL=C.UTF-8 MANWIDTH=100

pages=("$1" "$2"/heapcheck-*.1)
((${#pages[@]} > 20))
failed=0
for page in "${pages[@]}"; do
  warnings=$(man --warnings --local-file -Tutf8 -Z "$page" 2>&1 >/dev/null)
  if [[ -n $warnings ]]; then
    printf 'FAILED: %s: found warnings, expected none:\n%s\n' "$page" "$warnings" >&2
    failed=1
  fi
  # apropos(1) and whatis(1) find a page by this line.
  grep -qE '^heapcheck(\\-[a-z]+)? \\- [a-z]' "$page" || {
    printf 'FAILED: %s: found no line with the name and the purpose, expected one\n' "$page" >&2
    failed=1
  }
done
exit "$failed"
