// Includes Catch2, version 2 or 3. SKIP(reason) ends a test that cannot run here; ctest then reports it as
// skipped.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#else
#include <catch2/catch.hpp>
#endif

// Catch2 3.3 and later define SKIP. It prints the same word, which tests/CMakeLists.txt looks for.
#ifndef SKIP
#define SKIP(reason)          \
  do {                        \
    WARN("SKIPPED: " reason); \
    return;                   \
  } while (false)
#endif
