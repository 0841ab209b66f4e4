# shellcheck shell=bash disable=SC2034 # the package lists are for the scripts that source this
# What ./run, ./test and .ci/run share: installing packages and configuring a build folder.
# To be sourced, with `set -euo pipefail`. Nothing here writes to standard output by itself:
# `need` keeps apt's words in a log and shows them only when it fails.

# ccache takes precompiled headers only so: what matters of them is hashed all the same.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

packages_to_build=(g++ cmake ninja-build ccache pkg-config
  libboost-dev libzstd-dev zlib1g-dev libfmt-dev libcli11-dev)
packages_to_test=(catch2 libsimdjson-dev librapidcheck-dev python3-jsonschema patch doxygen)
packages_to_check=(git clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)

say() { printf '%s\n' "$*" >&2; }

# 125: a status that heapcheck itself never ends with.
die() {
  say "$(basename -- "$0"): $*"
  exit 125
}

# tell WORDS: how far something is. On a terminal a line that takes the place of the one before, else a line of
# its own, every 10 s at most.
told=-10
tell() {
  if [[ -t 2 ]]; then
    printf '\r\033[Kheapcheck: %s' "$1" >&2
  elif ((SECONDS - told >= 10)); then
    told=$SECONDS
    say "heapcheck: $1"
  fi
}

# Leaves the line of tell() empty.
end_telling() { [[ ! -t 2 ]] || printf '\r\033[K' >&2; }

# estimate DONE ALL SECONDS: ` (27 %), about 95 s left`, if it took so long up to here.
estimate() {
  printf ' (%d %%)' $((100 * $1 / $2))
  if (($1 > 0 && $3 > 0)); then printf ', about %d s left' $(($3 * ($2 - $1) / $1)); fi
}

# tell_build LOG: reads what ninja says, keeps it in LOG and tells how far it is.
tell_build() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^\[([0-9]+)/([1-9][0-9]*)\ ([0-9]+) ]]; then
      tell "building ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}$(estimate "${BASH_REMATCH[@]:1}")"
    fi
  done >"$1"
  end_telling
}

# build_telling LOG CMAKE-ARGUMENT...: as `cmake --build`.
build_telling() {
  local log=$1
  shift
  NINJA_STATUS='[%f/%t %e s] ' cmake --build "$@" 2>&1 | tell_build "$log"
}

# tell_installation LOG: the same for apt-get with APT::Status-Fd, which tells twice how much of 100 % it has:
# of fetching and of unpacking.
tell_installation() {
  local line start=$SECONDS percent
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+) ]]; then
      percent=$((BASH_REMATCH[2] / 2))
      if [[ ${BASH_REMATCH[1]} == pm ]]; then percent=$((percent + 50)); fi
      tell "installing$(estimate "$percent" 100 $((SECONDS - start)))"
    fi
  done >>"$1"
  end_telling
}

# need PACKAGE...: installs the Debian packages among these that are missing.
# HEAPCHECK_NO_INSTALL=1 leaves that to the caller (another system, or packages built by hand).
need() {
  [[ -z ${HEAPCHECK_NO_INSTALL:-} ]] || return 0
  [[ -x /usr/bin/dpkg-query && -x /usr/bin/apt-get ]] ||
    die "this is not Debian: install what README.md lists, then set HEAPCHECK_NO_INSTALL=1"
  local installed missing=() package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "neither root nor sudo is here to install the missing packages: ${missing[*]}"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=1)
  local log
  log=$(mktemp)
  say "installing: ${missing[*]}"
  if ! {
    "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"
  } </dev/null 2>&1 | tell_installation "$log"; then
    cat -- "$log" >&2
    rm -f -- "$log"
    die "the packages above could not be installed: ${missing[*]}"
  fi
  rm -f -- "$log"
}

# Whether build folder $1 was configured for this source folder, and not for one it was copied from.
is_configured() {
  [[ -f $1/build.ninja ]] && grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$1/CMakeCache.txt"
}

# configure FOLDER CMAKE-ARGUMENT...
configure() {
  local folder=$1 fresh=()
  shift
  is_configured "$folder" || fresh=(--fresh)
  cmake "${fresh[@]}" -S "$root" -B "$folder" "$@"
}

# build_preset PRESET: configures and builds all of it in build/PRESET; what that says is kept in build.log there.
build_preset() {
  local folder=$root/build/$1
  mkdir -p -- "$folder"
  (cd -- "$root" && configure "$folder" --preset "$1" >"$folder/build.log" 2>&1 && build_telling "$folder/build.log" "$folder") || {
    cat -- "$folder/build.log" >&2
    return 1
  }
}

# run_tests PRESET CTEST-ARGUMENT...
run_tests() {
  local preset=$1
  shift
  (cd -- "$root" && exec ctest --preset "$preset" --no-label-summary -j "$(nproc)" "$@")
}
