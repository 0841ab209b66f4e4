// Catch2's main function: version 3 brings one as a library, version 2 needs this unit.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
