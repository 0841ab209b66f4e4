#include "formats/chrome/find_keys.hpp"

#include <array>
#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;

namespace {

constexpr std::array<std::string_view, 2> keys{"heaps", "stackFrames"};

/// The keys that are found, each with its number and place.
std::string list_keys(std::string_view text, std::size_t first = 0) {
  std::string list;
  for (const FoundKey& found : find_keys(core::as_bytes(text), keys, first))
    list += std::to_string(found.key) + "@" + std::to_string(found.at) + " ";
  return list;
}

}  // namespace

TEST_CASE("keys are found if they are quoted and an object follows directly", "[chrome][threads]") {
  CHECK(list_keys(R"({"heaps":{"a":{}},"stackFrames":{}})") == "0@8 1@31 ");
  CHECK(list_keys(R"({"heaps": {},"heaps":[],"xheaps":{},"heap":{},heaps":{})").empty());
  CHECK(list_keys(R"("\"heaps\":{")").empty());
  CHECK(list_keys(R"(:{},"heaps":{)", 1) == "1@0 0@11 ");
  CHECK(list_keys("").empty());
  CHECK(list_keys(":{", 1) == "1@0 ");
  for (std::size_t before = 0; before < 300; ++before) {
    const std::string text = std::string(before, ':') + R"("heaps":{)";
    CHECK(list_keys(text) == "0@" + std::to_string(before + 7) + " ");
  }
}
