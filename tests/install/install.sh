#!/usr/bin/env bash
# Installs a build into a scratch folder, moves the installation elsewhere, and uses the library like other projects:
# compiles each header separately, and builds examples/ with find_package and with pkg-config, shared and static.
# Compares the output of the examples for files of corpus/ with expected.txt, which --update rewrites. Also runs the
# program in README.md.
# usage: install.sh [--update] BUILD-FOLDER
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(dirname -- "$(dirname -- "$here")")
update=
if [[ ${1:-} == --update ]]; then
  update=1
  shift
fi
build=$(readlink -f -- "$1")
cxx=${CXX:-c++}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
prefix=$scratch/moved/here

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# step WORDS COMMAND...: runs the command and shows its output only if it fails.
step() {
  local words=$1 status
  shift
  printf '%s\n' "$words"
  # This must not be a condition, because that would disable `set -e` inside.
  set +e
  (
    set -e
    "$@"
  ) >"$scratch/log" 2>&1
  status=$?
  set -e
  ((status == 0)) || {
    cat -- "$scratch/log" >&2
    fail "$words"
  }
}

# no COMMAND...: fails if the command succeeds.
no() {
  if "$@"; then return 1; fi
}

install_and_move() {
  cmake --install "$build" --prefix "$scratch/first"
  mkdir -p -- "$scratch/moved"
  mv -- "$scratch/first" "$prefix"
}

check_files() {
  local file
  for file in bin/heapcheck "$libraries"/libheapcheck.a "$libraries"/libheapcheck.so \
    share/man/man1/heapcheck.1 share/man/man1/heapcheck-validate.1 share/bash-completion/completions/heapcheck \
    share/zsh/site-functions/_heapcheck share/fish/vendor_completions.d/heapcheck.fish \
    share/mime/packages/heapcheck.xml share/heapcheck/heapcheck.magic; do
    [[ -e $prefix/$file ]] || fail "$file is not installed"
  done
  diff --recursive --brief "$root/include/heapcheck" "$prefix/include/heapcheck"
  # Paths of this machine would not work elsewhere.
  no grep -rF -e "$root" -e "$build" -e "$scratch" -- "$prefix/$libraries/cmake" "$prefix/$libraries/pkgconfig"
}

# Only declarations marked with HEAPCHECK_API are exported, and none from nested namespaces or embedded libraries.
check_symbols() {
  nm -D --defined-only --demangle -- "$prefix/$libraries/libheapcheck.so" | cut -d ' ' -f 3- >"$scratch/symbols"
  grep -q '^heapcheck::open(' "$scratch/symbols"
  no grep -vE '^((vtable|typeinfo|typeinfo name) for )?heapcheck::' "$scratch/symbols"
  no grep -F '::State::' "$scratch/symbols"
  no grep -E '^((vtable|typeinfo|typeinfo name) for )?heapcheck::[a-z0-9_]+::' "$scratch/symbols"
}

check_headers() {
  local compiler=$1 header
  for header in "$prefix"/include/heapcheck/{,types/}*.hpp; do
    header=${header#"$prefix/include/"}
    printf '#include <%s>\n#include <%s>\n' "$header" "$header" |
      "$compiler" -std=c++23 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
        -I "$prefix/include" -fsyntax-only -x c++ -
  done
}

# build_by_package FOLDER TARGET
build_by_package() {
  cmake -S "$root/examples" -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$prefix" \
    -DHEAPCHECK_LIBRARY="$2"
  cmake --build "$1"
}

# build_by_pkg_config FOLDER PKG-CONFIG-ARGUMENT...: compiles only once for both libraries.
build_by_pkg_config() {
  local folder=$1 name flags libs
  shift
  export PKG_CONFIG_PATH=$prefix/$libraries/pkgconfig
  read -ra flags <<<"$(pkg-config --cflags heapcheck)"
  read -ra libs <<<"$(pkg-config --libs "$@" heapcheck)"
  # Both libraries are in the same folder, and the linker prefers the shared one.
  if [[ $* == --static ]]; then libs=("${libs[@]/#-lheapcheck/-l:libheapcheck.a}"); fi
  mkdir -p -- "$folder" "$scratch/objects"
  for name in list_snapshots check convert largest_types ask; do
    [[ -e $scratch/objects/$name.o ]] ||
      "$cxx" -std=c++23 -Wall -Wextra -Werror "${flags[@]}" -c "$root/examples/$name.cpp" -o "$scratch/objects/$name.o"
    "$cxx" "$scratch/objects/$name.o" -o "$folder/$name" "${libs[@]}"
  done
}

# show PROGRAM ARGUMENT...: prints the command, its output and its exit status.
show() {
  local status=0 name=$1
  shift
  printf '$ %s\n' "$name ${*//$scratch\//}"
  "$folder/$name" "$@" 2>&1 || status=$?
  printf '(%d)\n' "$status"
}

# run_examples FOLDER: runs the examples in corpus/, so that the paths are short.
run_examples() {
  local folder=$1 file
  cd -- "$root/corpus"
  for file in mvmheap/v1/seed/moar-2016.04-small.txt mvmheap/v2/seed/layout-c.mvmheap mvmheap/v3/seed/two-snapshots.mvmheap \
    chrome/legacy/seed/whole.json chrome/heaps_v2/seed/chrome-120-small.json v8/heapprofile/seed/small.heapprofile \
    v8/heapsnapshot/seed/small.heaptimeline; do
    show list_snapshots "$file"
  done
  show list_snapshots README.md
  show list_snapshots no-such-file
  show check mvmheap/v3/seed/two-snapshots.mvmheap
  show check mvmheap/v3/seed/cut.mvmheap
  show check v8/heapprofile/seed/small.heapprofile
  show check README.md
  show convert mvmheap/v3/seed/two-snapshots.mvmheap "$scratch/converted" mvmheap-v2
  show check "$scratch/converted"
  show convert mvmheap/v3/seed/cut.mvmheap "$scratch/converted" mvmheap-v1
  show convert mvmheap/v3/seed/two-snapshots.mvmheap "$scratch/converted" mvmheap-v4
  show largest_types mvmheap/v3/seed/moar-2022.12-nqp.mvmheap
  show largest_types v8/heapsnapshot/seed/small.heaptimeline
  show largest_types chrome/legacy/seed/whole.json
  show ask v8/heapsnapshot/seed/small.heaptimeline
  show ask chrome/legacy/seed/whole.json
}

# check_readme: builds the program in README.md and compares its output with the block after it.
check_readme() {
  local flags libs
  export PKG_CONFIG_PATH=$prefix/$libraries/pkgconfig
  read -ra flags <<<"$(pkg-config --cflags heapcheck)"
  read -ra libs <<<"$(pkg-config --libs heapcheck)"
  sed -n '/^```cpp$/,/^```$/{/^```/!p}' "$root/README.md" >"$scratch/readme.cpp"
  sed -n '/, the program prints:$/,/^## /{/^[0-9]/p}' "$root/README.md" >"$scratch/readme.txt"
  [[ -s $scratch/readme.txt ]] || fail "README.md does not show the output of its program"
  "$cxx" -std=c++23 -Wall -Wextra -Werror "${flags[@]}" "$scratch/readme.cpp" -o "$scratch/readme" "${libs[@]}"
  cd -- "$root"
  LD_LIBRARY_PATH=$prefix/$libraries "$scratch/readme" corpus/mvmheap/v3/seed/two-snapshots.mvmheap |
    diff -u -- "$scratch/readme.txt" -
}

# check_examples FOLDER
check_examples() {
  run_examples "$1" >"$scratch/printed" </dev/null
  if [[ -n $update ]]; then cp -- "$scratch/printed" "$here/expected.txt"; fi
  diff -u -- "$here/expected.txt" "$scratch/printed"
}

step "installing" install_and_move
libraries=$(cd -- "$prefix" && dirname -- "$(find . -name libheapcheck.a)")
libraries=${libraries#./}
step "installed files" check_files
step "exported symbols" check_symbols
for compiler in "$cxx" clang++-19; do
  if command -v "$compiler" >/dev/null; then step "each header alone with $compiler" check_headers "$compiler"; fi
done
step "building the examples with find_package, shared" build_by_package "$scratch/shared" heapcheck::heapcheck
step "output of the examples" check_examples "$scratch/shared"
step "building the examples with find_package, static" build_by_package "$scratch/static" heapcheck::heapcheck_static
step "output of the examples" check_examples "$scratch/static"
step "building the examples with pkg-config, shared" build_by_pkg_config "$scratch/pc-shared"
LD_LIBRARY_PATH=$prefix/$libraries step "output of the examples" check_examples "$scratch/pc-shared"
step "building the examples with pkg-config, static" build_by_pkg_config "$scratch/pc-static" --static
step "output of the examples" check_examples "$scratch/pc-static"
step "the program in README.md" check_readme
