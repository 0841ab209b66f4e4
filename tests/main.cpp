// Defines Catch2's main function, which version 3 provides in a library but version 2 does not.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
