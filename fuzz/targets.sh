# shellcheck shell=bash disable=SC2154 # cmake/setup.sh, which is sourced first, sets the others
# What fuzz/campaign and fuzz/coverage share: which targets there are, and building some of them.
# To be sourced after cmake/setup.sh, in the source folder. Targets and folders have no blanks in
# their names.

list_sources() {
  find fuzz -path fuzz/support -prune -o -name '*.cpp' -exec grep -l LLVMFuzzerTestOneInput {} + | sort
}

# name_of SOURCE: as fuzz/CMakeLists.txt calls it: fuzz_<slug>_<name>.
name_of() {
  local name=${1%.cpp}
  printf '%s\n' "${name//\//_}"
}

# list_targets GLOB
list_targets() {
  local source name
  list_sources | while read -r source; do
    name=$(name_of "$source")
    # shellcheck disable=SC2053 # the right side is a pattern
    if [[ $name == $1 ]]; then printf '%s\n' "$name"; fi
  done
}

# build_targets PRESET TARGET...: what the compiler says goes to standard error.
build_targets() {
  local preset=$1
  shift
  need "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_check[@]}"
  {
    configure "$root/build/$preset" --preset "$preset" && cmake --build "build/$preset" --target "$@"
  } >&2 || die "the targets could not be built"
}

# positive WORD: whether it is a whole number above zero.
positive() { [[ $1 =~ ^[1-9][0-9]{0,8}$ ]]; }
