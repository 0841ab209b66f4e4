// A macro for the few loops over whole columns in which a check spends most of its time. It compiles them a
// second time for AVX2; one of the two versions is chosen when the program starts. Sanitizers start before
// that choice can be made, so their builds use the plain loop. This is the only macro outside fuzz and test
// support.
#pragma once

#if defined(__has_feature)
#define HEAPCHECK_HAS_FEATURE(name) __has_feature(name)
#else
#define HEAPCHECK_HAS_FEATURE(name) 0
#endif

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(HEAPCHECK_SANITIZED) && \
    !HEAPCHECK_HAS_FEATURE(coverage_sanitizer)
#define HEAPCHECK_HOT_LOOP __attribute__((target_clones("avx2", "default")))
#else
#define HEAPCHECK_HOT_LOOP
#endif
