#!/usr/bin/env bash
# Makes the reference of heapcheck/*.hpp, in the folder `reference` beside the given Doxyfile.
set -euo pipefail
command -v doxygen >/dev/null || exit 77
exec doxygen "$1"
