# shellcheck shell=bash disable=SC2034 # the package lists are for the scripts that source this
# What ./run, ./test and .ci/run share: installing packages and configuring a build folder.
# To be sourced, with `set -euo pipefail`. Nothing here writes to standard output by itself:
# `need` keeps apt's words in a log and shows them only when it fails.

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

packages_to_build=(g++ cmake ninja-build ccache pkg-config
  libboost-dev libzstd-dev zlib1g-dev libfmt-dev libcli11-dev)
packages_to_test=(catch2 libsimdjson-dev librapidcheck-dev python3-jsonschema patch)
packages_to_check=(git clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)

say() { printf '%s\n' "$*" >&2; }

# 125: a status that heapcheck itself never ends with.
die() {
  say "$(basename -- "$0"): $*"
  exit 125
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
    apt-get -q -y -o DPkg::Lock::Timeout=300)
  local log
  log=$(mktemp)
  say "installing: ${missing[*]}"
  if ! {
    "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1; then
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

# build_preset PRESET: configures and builds all of it in build/PRESET.
build_preset() {
  (cd -- "$root" && configure "$root/build/$1" --preset "$1" && cmake --build "build/$1")
}

# run_tests PRESET CTEST-ARGUMENT...
run_tests() {
  local preset=$1
  shift
  (cd -- "$root" && exec ctest --preset "$preset" --no-label-summary -j "$(nproc)" "$@")
}
