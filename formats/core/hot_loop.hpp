// Macros for loops that use more than the instructions that every x86-64 processor has. Besides
// HEAPCHECK_API, they are the only macros of our own outside fuzz and test support.
//
// HEAPCHECK_HOT_LOOP is for the few loops over whole columns in which a check spends most of its time. It
// compiles them again for AVX2 and for AVX-512; one of the versions is chosen when the program starts.
// Sanitizers start before that choice can be made, so their builds use the plain loop.
//
// HEAPCHECK_AVX2 and HEAPCHECK_AVX512 are for functions with such instructions, which are called only if the
// processor has them.
#pragma once

#if defined(__has_feature)
#define HEAPCHECK_HAS_FEATURE(name) __has_feature(name)
#else
#define HEAPCHECK_HAS_FEATURE(name) 0
#endif

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(HEAPCHECK_SANITIZED) && \
    !HEAPCHECK_HAS_FEATURE(coverage_sanitizer)
#define HEAPCHECK_HOT_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEAPCHECK_HOT_LOOP
#endif

#define HEAPCHECK_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define HEAPCHECK_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
