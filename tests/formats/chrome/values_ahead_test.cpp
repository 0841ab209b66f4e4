#include "formats/chrome/values_ahead.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "formats/chrome/faults.hpp"
#include "formats/core/window.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;

namespace {

constexpr std::array<std::string_view, 2> wanted_keys{"heaps", "stackFrames"};

/// The values that were read ahead in an array of objects with one member each: the key of each value, or `-`
/// if the value was not read ahead, or `x` if it was refused.
std::string take_all(std::string_view text, unsigned threads, bool is_accepted = true) {
  Limits limits;
  limits.max_threads = threads;
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source, core::Window::shared_capacity);
  core::JsonReader json(window, limits);
  ValuesAhead<std::string> ahead(
      limits, wanted_keys,
      [](std::size_t key, core::JsonReader& value, core::FindingSink& sink, const Limits&) {
        value.next();
        if (value.next() == core::JsonToken::key && value.text() == "bad")
          core::report_or_count(sink, {&rules::dumps_type, {}, ""});
        if (value.token() != core::JsonToken::object_end) value.skip_rest();
        return std::string(wanted_keys[key]);
      });
  std::string taken;
  json.next();
  while (json.next() == core::JsonToken::object_begin) {
    json.next();
    const std::size_t key = json.text() == wanted_keys[0] ? 0 : 1;
    bool is_refused = false;
    const auto value = ahead.take(json, key, limits.max_memory, [&](const std::string&) {
      is_refused = !is_accepted;
      return is_accepted;
    });
    taken += value ? *value + "!" : is_refused ? "x" : "-";
    if (!value) json.skip_value();
    if (json.next() != core::JsonToken::object_end) return "error";
  }
  CHECK(ahead.taken() == static_cast<std::uint64_t>(std::ranges::count(taken, '!')));
  return json.token() == core::JsonToken::array_end ? taken : "error";
}

/// The keys that were found, each with its number and place.
std::string list_keys(std::string_view text, std::size_t first = 0) {
  std::string list;
  for (const FoundKey& found : find_keys(core::as_bytes(text), wanted_keys, first))
    list += std::to_string(found.key) + "@" + std::to_string(found.at) + " ";
  return list;
}

}  // namespace

TEST_CASE("values are read ahead except the last one", "[chrome][threads]") {
  const std::string_view text = R"([{"heaps":{"a":1}},{"stackFrames":{}},{"heaps":{"b":[{}]}},{"heaps":{}}])";
  CHECK(take_all(text, 1) == "----");
  CHECK(take_all(text, 2) == "heaps!stackFrames!heaps!-");
  CHECK(take_all(text, 3) == "heaps!stackFrames!heaps!-");
  CHECK(take_all(text, 3, false) == "xxx-");
}

TEST_CASE("values with findings, white space or broken JSON are left to the caller", "[chrome][threads]") {
  CHECK(take_all(R"([{"heaps":{"bad":1}},{"heaps":{}},{"heaps":{}}])", 2) == "-heaps!-");
  CHECK(take_all(R"([{"heaps" :{}},{"heaps":{}},{"heaps":{}},{"heaps":{}}])", 2) == "-heaps!heaps!-");
  CHECK(take_all(R"([{"heaps":{"a":"heaps\":{"}},{"heaps":{}},{"heaps":{}}])", 2) == "heaps!heaps!-");
  CHECK(take_all(R"([{"heaps":{"heaps":{}}},{"heaps":{}},{"heaps":{}}])", 2) == "heaps!heaps!-");
  CHECK(take_all(R"([{"heaps":{"a":}},{"heaps":{}}])", 2) == "error");
}

TEST_CASE("nothing more is read ahead after many values were read in vain", "[chrome][threads]") {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) text += R"({"heaps":{"bad":1}},)";
  text += R"({"heaps":{}},{"heaps":{}}])";
  CHECK(take_all(text, 2) == std::string(42, '-'));
}

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
