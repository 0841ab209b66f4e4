#!/usr/bin/env bash
# Generates the reference of include/heapcheck/ in the folder `reference`, next to the given Doxyfile.
# Exits with 77, which ctest shows as skipped, if Doxygen is not installed.
set -euo pipefail
command -v doxygen >/dev/null || exit 77
exec doxygen "$1"
