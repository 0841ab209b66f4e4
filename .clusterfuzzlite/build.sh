#!/usr/bin/env bash
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz. Their image sets $SRC, $WORK, $OUT, the
# compilers, their flags and $LIB_FUZZING_ENGINE. Files for other machines go to $OUT: programs that need
# only the C library, each with its seeds, dictionary and limits.
set -euo pipefail
# shellcheck source=cmake/setup.sh
. "$SRC/heapcheck/cmake/setup.sh"
# shellcheck source=fuzz/targets.sh
. "$root/fuzz/targets.sh"

build=$WORK/heapcheck

# write_companions TARGET: writes these files under the names that the services expect.
write_companions() {
  local folders=()
  mapfile -t folders < <(seeds_of "$1")
  rm -f -- "$OUT/$1_seed_corpus.zip"
  zip -q -r "$OUT/$1_seed_corpus.zip" "${folders[@]}"
  write_dictionary "$1" "$OUT/$1.dict"
  [[ -s $OUT/$1.dict ]] || rm -- "$OUT/$1.dict"
  printf '%s\n' '[libfuzzer]' "${limits[@]#-}" >"$OUT/$1.options"
}

cd -- "$root"
# The packages of fmt and simdjson are built for a C++ standard library that differs from the image's.
mapfile -t targets < <(list_targets '*' | grep -v '_json_differential$')
cmake --fresh -G Ninja -S . -B "$build" -DHEAPCHECK_TESTS=OFF -DHEAPCHECK_FUZZERS=ON \
  -DHEAPCHECK_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DHEAPCHECK_FMT_HEADER_ONLY=ON -DZLIB_USE_STATIC_LIBS=ON
cmake --build "$build" --target "${targets[@]}"
for target in "${targets[@]}"; do
  cp -- "$build/fuzz/$target" "$OUT/"
  write_companions "$target"
done
