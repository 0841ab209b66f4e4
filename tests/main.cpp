// Catch2's main function. Version 3 has it in a library, version 2 needs this file.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
