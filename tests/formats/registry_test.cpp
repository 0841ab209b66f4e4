#include "formats/registry.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string_view>

using namespace heapcheck;
using Catch::Matchers::ContainsSubstring;

namespace {

formats::Detection detect(std::string_view text) { return formats::detect(core::as_bytes(text)); }

}  // namespace

TEST_CASE("what is said of an unknown file names every version that is read", "[registry]") {
  CHECK_THAT(detect("\xEF\xBB\xBFstrings: [\"a\"]\n").explanation, ContainsSubstring("strings: "));
  CHECK_THAT(detect("MoarHeapDumpv004").explanation, ContainsSubstring("reads versions 1, 2 and 3"));
}

TEST_CASE("a file that ends inside the magic is told from one of another version", "[registry]") {
  constexpr std::string_view magic = "MoarHeapDumpv003";
  for (std::size_t length = 1; length < magic.size(); ++length) {
    CHECK_THAT(detect(magic.substr(0, length)).explanation,
               ContainsSubstring("ends inside the first 16 bytes"));
  }
  CHECK_THAT(detect("MoarHeapDumpvXYZ").explanation, ContainsSubstring("no number of 3 digits"));
}
