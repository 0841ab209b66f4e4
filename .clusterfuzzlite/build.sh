#!/usr/bin/env bash
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz. Their image sets $SRC, $WORK, $OUT, the
# compilers, their flags and $LIB_FUZZING_ENGINE. $OUT gets what runs elsewhere: programs that need no
# library beyond the C library's, and beside each its seeds, dictionary and limits.
set -euo pipefail
# shellcheck source=cmake/setup.sh
. "$SRC/heapcheck/cmake/setup.sh"
# shellcheck source=fuzz/targets.sh
. "$root/fuzz/targets.sh"

build=$WORK/heapcheck

# write_companions TARGET: under the names by which the services know them.
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
# The libraries of fmt and simdjson are made for another C++ standard library than the image's.
mapfile -t targets < <(list_targets '*' | grep -v '_json_differential$')
cmake --fresh -G Ninja -S . -B "$build" -DHEAPCHECK_TESTS=OFF -DHEAPCHECK_FUZZERS=ON \
  -DHEAPCHECK_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DHEAPCHECK_FMT_HEADER_ONLY=ON -DZLIB_USE_STATIC_LIBS=ON
cmake --build "$build" --target "${targets[@]}"
for target in "${targets[@]}"; do
  cp -- "$build/fuzz/$target" "$OUT/"
  write_companions "$target"
done
