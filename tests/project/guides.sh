#!/usr/bin/env bash
# guides.sh [--build]: follows the guides of CONTRIBUTING.md. Each patch in guides/ makes one addition. It must apply,
# and must touch as many files as its guide has rows, and no more than the heading of the guide allows. With --build,
# makes all additions in a copy of the sources, builds it, and runs its tests. Patches have one line of context, so that
# they apply together and after changes nearby.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/setup.sh
. "$here/../../cmake/setup.sh"
tree=$root/build/guides/tree

# apply FOLDER PATCH ARGUMENT...
apply() {
  patch --directory="$1" --strip=1 --fuzz=0 --force --no-backup-if-mismatch --quiet "${@:3}" <"$2" >&2
}

# list_guides: prints the name of each guide (which is also the name of its patch), the limit in its heading, and the
# number of its rows.
list_guides() {
  awk '
    function end_guide() { if (name) print name, limit, rows; name = "" }
    /^#/ { end_guide() }
    /^### Adding .* \(at most [0-9]+ files\)$/ {
      limit = $0; gsub(/.*at most | files\)/, "", limit)
      name = $0; sub(/^### Adding an? /, "", name); sub(/ \(.*/, "", name); gsub(/ /, "_", name)
      rows = 0
    }
    name && /^\| `/ { ++rows }
    END { end_guide() }' "$root/CONTRIBUTING.md"
}

check_guides() {
  local name limit rows count patch status=0
  while read -r name limit rows; do
    patch=$here/guides/$name.patch
    if ! apply "$root" "$patch" --dry-run; then
      say "$patch: does not apply"
      status=1
    fi
    count=$(grep -c '^+++ ' "$patch")
    if ((count != rows || count > limit)); then
      say "$patch: touches $count files, expected the $rows of its guide, and at most $limit"
      status=1
    fi
  done < <(list_guides)
  if ! diff <(list_guides | sed 's/ .*//' | sort) <(basename -s .patch -- "$here"/guides/*.patch | sort) >&2; then
    say "CONTRIBUTING.md and $here/guides have different guides"
    status=1
  fi
  return "$status"
}

# Copies the sources with their times, so that only files that a patch touches are rebuilt.
copy_tree() {
  mkdir -p -- "$tree"
  find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf -- {} +
  git -c safe.directory="$root" -C "$root" ls-files -z --cached --others --exclude-standard |
    tar --directory="$root" --null --files-from=- --create | tar --directory="$tree" --extract
}

build_additions() {
  local patch
  copy_tree
  for patch in "$here"/guides/*.patch; do apply "$tree" "$patch"; done
  # shellcheck disable=SC2016 # these are for the inner shell
  bash -euo pipefail -c '
    . "$1/cmake/setup.sh"
    build_preset dev
    # The additions have already been made, and mutants can be checked only in a checkout.
    run_tests dev --exclude-regex "^(guides|mutants_apply)$"' "$0" "$tree"
}

case ${1:-} in
  '') check_guides ;;
  --build) check_guides && build_additions ;;
  *) die "unknown option: $1" ;;
esac
