# shellcheck shell=bash disable=SC2034 # the package lists are for the scripts that source this
# Shared by ./run, ./test and .ci/run: installs packages, configures build folders, and builds.
# Source it after `set -euo pipefail`. Nothing here writes to standard output by itself.
# `need` writes the output of apt-get to a log, and shows it only if apt-get fails.

# ccache requires this for precompiled headers; it still hashes everything that affects the result.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

packages_to_build=(g++ cmake ninja-build ccache pkg-config
  libboost-dev libzstd-dev zlib1g-dev libfmt-dev libcli11-dev libtomlplusplus-dev libprotozero-dev libsqlite3-dev
  libedit-dev)
packages_to_test=(catch2 libsimdjson-dev librapidcheck-dev python3-jsonschema python3-junitparser python3-yaml
  python3-dask python3-distributed
  python3-pandas patch doxygen file shared-mime-info protobuf-compiler)
packages_to_bench=(libsimdjson-dev rapidjson-dev nlohmann-json3-dev jq nodejs python3-ujson python3-rapidjson sqlite3)
packages_to_package=(git debhelper dpkg-dev zstd python3)
packages_for_wasm=(clang-19 lld-19 llvm-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32
  libclang-rt-19-dev-wasm32 libfast-float-dev binaryen nodejs)
packages_to_check=(git clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev lld-19 llvm-19)

say() { printf '%s\n' "$*" >&2; }

# Exits with 125, a status that heapcheck itself never returns.
die() {
  say "$(basename -- "$0"): $*"
  exit 125
}

# show_progress WORDS: on a terminal, replaces the previous line; otherwise prints a new line, at most every 10 s.
last_shown=-10
show_progress() {
  if [[ -t 2 ]]; then
    printf '\r\033[Kheapcheck: %s' "$1" >&2
  elif ((SECONDS - last_shown >= 10)); then
    last_shown=$SECONDS
    say "heapcheck: $1"
  fi
}

# Erases the line that show_progress printed.
end_progress() { [[ ! -t 2 ]] || printf '\r\033[K' >&2; }

# estimate DONE ALL SECONDS: prints ` (27 %), about 95 s left`, where SECONDS is the time spent on DONE.
estimate() {
  printf ' (%d %%)' $((100 * $1 / $2))
  if (($1 > 0 && $3 > 0)); then printf ', about %d s left' $(($3 * ($2 - $1) / $1)); fi
}

# watch_build LOG: copies the output of ninja to LOG and shows the progress.
watch_build() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^\[([0-9]+)/([1-9][0-9]*)\ ([0-9]+) ]]; then
      show_progress "building ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}$(estimate "${BASH_REMATCH[@]:1}")"
    fi
  done >"$1"
  end_progress
}

# build_with_progress LOG CMAKE-ARGUMENT...: runs `cmake --build` and shows the progress.
build_with_progress() {
  local log=$1
  shift
  NINJA_STATUS='[%f/%t %e s] ' cmake --build "$@" 2>&1 | watch_build "$log"
}

# watch_installation LOG: does the same for apt-get with APT::Status-Fd, which counts to 100 % twice: first for
# downloading, and then for unpacking.
watch_installation() {
  local line start=$SECONDS percent
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+) ]]; then
      percent=$((BASH_REMATCH[2] / 2))
      if [[ ${BASH_REMATCH[1]} == pm ]]; then percent=$((percent + 50)); fi
      show_progress "installing$(estimate "$percent" 100 $((SECONDS - start)))"
    fi
  done >>"$1"
  end_progress
}

# need PACKAGE...: installs the Debian packages that are missing.
# With HEAPCHECK_NO_INSTALL=1, does not install anything (for other systems, or for packages built by hand).
need() {
  [[ -z ${HEAPCHECK_NO_INSTALL:-} ]] || return 0
  [[ -x /usr/bin/dpkg-query && -x /usr/bin/apt-get ]] ||
    die "this is not Debian: install the packages listed in docs/building.md, then set HEAPCHECK_NO_INSTALL=1"
  local installed missing=() package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "installing missing packages needs root or sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=1)
  local log
  log=$(mktemp)
  say "installing: ${missing[*]}"
  if ! {
    "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"
  } </dev/null 2>&1 | watch_installation "$log"; then
    cat -- "$log" >&2
    rm -f -- "$log"
    die "installing these packages failed: ${missing[*]}"
  fi
  rm -f -- "$log"
}

# is_configured FOLDER: succeeds if the build folder was configured for this source folder and not copied from
# elsewhere.
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

# build_preset PRESET: configures and builds everything in build/PRESET, and writes the output to build.log there.
build_preset() {
  local folder=$root/build/$1
  mkdir -p -- "$folder"
  (cd -- "$root" && configure "$folder" --preset "$1" >"$folder/build.log" 2>&1 && build_with_progress "$folder/build.log" "$folder") || {
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
