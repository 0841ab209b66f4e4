# shellcheck shell=bash disable=SC2034,SC2154 # names that cmake/setup.sh sets, or that the scripts use
# Shared by the fuzzing scripts: the list of targets, the arguments of each, and the commands to build them. Source this
# after cmake/setup.sh, in the source folder. Names of targets and folders contain no spaces.

limits=(-timeout=10 -rss_limit_mb=2048)
export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19

list_sources() {
  find fuzz -path fuzz/support -prune -o -name '*.cpp' -exec grep -l LLVMFuzzerTestOneInput {} + | sort
}

# name_of SOURCE: the target's name in fuzz/CMakeLists.txt, fuzz_<slug>_<name>.
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

# seeds_of TARGET: the folders in corpus/ for the formats of the target: corpus/core for a target that has no format,
# and all folders for one that reads any format.
seeds_of() {
  local folder slug found=()
  for folder in corpus/*/*/; do
    slug=${folder#corpus/}
    slug=${slug%/}
    if [[ $1_ == fuzz_"${slug//\//_}"_* || $1 == fuzz_any_* ]]; then found+=("$folder"); fi
  done
  slug=${1#fuzz_}
  ((${#found[@]})) || found=("corpus/${slug%%_*}/")
  printf '%s\n' "${found[@]}"
}

# write_dictionary TARGET FILE: joins the *.dict files next to the target's source and in the folders above and below.
write_dictionary() {
  local dictionary prefix
  find fuzz -name '*.dict' | sort | while read -r dictionary; do
    prefix=$(name_of "${dictionary%/*}/")
    if [[ $1 == "$prefix"* || $prefix == "${1%_*}_"* ]]; then cat -- "$dictionary"; fi
  done >"$2"
}

# arguments_of TARGET DICTIONARY: prints its seed folders and options, one per line, and writes the file DICTIONARY.
arguments_of() {
  seeds_of "$1"
  write_dictionary "$1" "$2"
  if [[ -s $2 ]]; then printf -- '-dict=%s\n' "$2"; fi
}

# build_targets PRESET TARGET...: builds the targets; the compiler's output goes to standard error.
build_targets() {
  local preset=$1
  shift
  need "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_check[@]}"
  {
    configure "$root/build/$preset" --preset "$preset" && cmake --build "build/$preset" --target "$@"
  } >&2 || die "the targets could not be built"
}

# positive WORD: succeeds if the word is a whole number above zero.
positive() { [[ $1 =~ ^[1-9][0-9]{0,8}$ ]]; }
