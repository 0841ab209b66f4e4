#!/usr/bin/env bash
# format.sh: checks the format of all C++ sources of a checkout. Exits with 77 (skipped) if clang-format is not
# installed, or if the sources are not in a Git repository.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."

# list_sources: lists them, including those that are not yet added. In a container, the tree may belong to a different
# user.
list_sources() {
  local path
  git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' |
    while IFS= read -r -d '' path; do
      if [[ -f $path ]]; then printf '%s\0' "$path"; fi
    done
}

if ! command -v clang-format-19 >/dev/null || ! list_sources >/dev/null 2>&1; then
  echo "clang-format-19 is not installed, or this is no Git repository, so the format is not checked"
  exit 77
fi
list_sources | xargs -0 -r clang-format-19 --dry-run -Werror
