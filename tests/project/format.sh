#!/usr/bin/env bash
# format.sh: checks the format of all C++ sources in the repository. Exits with 77 (skipped) if clang-format is not
# installed, or if the sources are not in a Git repository.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."

# In a container, the tree may belong to a different user.
list_sources() { git -c safe.directory="$PWD" ls-files -z -- '*.cpp' '*.hpp'; }

if ! command -v clang-format-19 >/dev/null || ! list_sources >/dev/null 2>&1; then exit 77; fi
list_sources | xargs -0 -r clang-format-19 --dry-run -Werror
