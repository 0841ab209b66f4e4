// The SSE2 intrinsics that heapcheck uses, with the instructions of WebAssembly that do the same. clang has no header
// of its own for this.
#pragma once

#include <wasm_simd128.h>

using __m128i = v128_t;

inline __m128i _mm_loadu_si128(const __m128i* bytes) { return wasm_v128_load(bytes); }
inline __m128i _mm_set1_epi8(char byte) { return wasm_i8x16_splat(byte); }
inline __m128i _mm_cmpeq_epi8(__m128i a, __m128i b) { return wasm_i8x16_eq(a, b); }
inline __m128i _mm_cmplt_epi8(__m128i a, __m128i b) { return wasm_i8x16_lt(a, b); }
inline __m128i _mm_min_epu8(__m128i a, __m128i b) { return wasm_u8x16_min(a, b); }
inline __m128i _mm_sub_epi8(__m128i a, __m128i b) { return wasm_i8x16_sub(a, b); }
inline __m128i _mm_or_si128(__m128i a, __m128i b) { return wasm_v128_or(a, b); }
inline __m128i _mm_slli_epi16(__m128i a, int count) { return wasm_i16x8_shl(a, static_cast<unsigned>(count)); }
inline int _mm_movemask_epi8(__m128i a) { return static_cast<int>(wasm_i8x16_bitmask(a)); }
