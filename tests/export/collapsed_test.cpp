#include "export/writers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "export/profiles/stacks.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/stacks.hpp"
#include "tests/support/files.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::string write(const AllocationProfile& profile) {
  core::MemorySink sink;
  REQUIRE(exports::profiles::write_collapsed(
      {.file = "a", .format = Format::heaps_v2, .snapshot = 0, .profile = profile}, sink));
  return {sink.bytes().begin(), sink.bytes().end()};
}

/// The sum of the numbers at the ends of the lines.
std::uint64_t add_up(std::string_view text) {
  std::uint64_t sum = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view number = text.substr(0, end).substr(text.substr(0, end).rfind(' ') + 1);
    std::uint64_t value = 0;
    REQUIRE(std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc());
    sum += value;
    text.remove_prefix(end + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("a collapsed stack has its frames from the outermost on, and its bytes", "[export]") {
  AllocationProfile profile;
  for (const char* const name : {"(root)", "main", "a;b\n", ""})
    profile.frames.push_back({.name = profile.texts.add(name)});
  profile.caller = {0, 0, 1, 2};
  profile.frame = {0, 1, 2, 3};
  profile.place = {3, 1, 3, 0, 2};
  profile.size = {8, 16, 2, 1, 0};
  CHECK(write(profile) == "(root) 1\nmain 16\nmain;a:b ;(anonymous) 10\n");
}

TEST_CASE("a frame of a collapsed stack has its place, with the column only if that tells it apart",
          "[export]") {
  AllocationProfile profile;
  for (const char* const text : {"(root)", "f", "app;.js", "g"}) profile.texts.add(text);
  profile.frames = {{.name = 0},
                    {.name = 1, .script = 2, .line = 7, .column = 12},
                    {.name = 1, .script = 2, .line = 7, .column = 30},
                    {.name = 1, .script = 2, .line = 8, .column = 30},
                    {.name = 3, .script = 2}};
  profile.caller = {0, 0, 0, 0, 3};
  profile.frame = {0, 1, 2, 3, 4};
  profile.place = {1, 2, 4};
  profile.size = {1, 2, 4};
  CHECK(write(profile) == "f (app:.js:7:12) 1\nf (app:.js:7:30) 2\nf (app:.js:8);g (app:.js) 4\n");
}

TEST_CASE("a chain of calls whose lines would fill a disk reaches a limit", "[export]") {
  AllocationProfile profile;
  profile.frames = {{.name = profile.texts.add("f")}};
  for (std::uint32_t place = 0; place < 30'000; ++place) {
    profile.caller.push_back(place == 0 ? 0 : place - 1);
    profile.frame.push_back(0);
    profile.place.push_back(place);
    profile.size.push_back(1);
  }
  core::MemorySink sink;
  const auto done = exports::profiles::write_collapsed(
      {.file = "a", .format = Format::v8_heapprofile, .snapshot = 0, .profile = profile}, sink);
  REQUIRE(!done);
  CHECK(done.error().kind == ErrorKind::limit);
}

TEST_CASE("stacks with too many frames in total are refused before any is written", "[export]") {
  // The stacks of a chain of N calls that all allocate memory have about N * N / 2 frames.
  const std::uint32_t calls = GENERATE(8'000U, 9'000U);
  AllocationProfile profile;
  for (std::uint32_t place = 0; place <= calls; ++place) profile.caller.push_back(place == 0 ? 0 : place - 1);
  profile.frames = {{.name = profile.texts.add("f")}};
  profile.frame.assign(calls + 1, 0);
  for (std::uint32_t place = 1; place <= calls; ++place) profile.place.push_back(place);
  profile.size.assign(calls, 1);
  const auto checked = exports::profiles::check_stacks(profile);
  CHECK(checked.has_value() == (calls == 8'000));
  if (!checked)
    CHECK(checked.error().message.contains("40504500 frames in total, expected at most 33554432"));
  profile.size.assign(calls, 0);
  CHECK(exports::profiles::check_stacks(profile));  // rows without memory are not written
}

TEST_CASE("the stacks of places that no longer have memory are limited where they are written", "[export]") {
  const std::uint32_t calls = GENERATE(8'000U, 9'000U);
  AllocationProfile profile;
  for (std::uint32_t place = 0; place <= calls; ++place) profile.caller.push_back(place == 0 ? 0 : place - 1);
  profile.frames = {{.name = profile.texts.add("f")}};
  profile.frame.assign(calls + 1, 0);
  profile.allocated_size.assign(calls + 1, 0);
  profile.allocated_count.assign(calls + 1, 1);
  const exports::StacksInput input{
      .file = "a", .format = Format::v8_heapsnapshot, .snapshot = 0, .profile = profile};
  core::MemorySink sink;
  const auto done = exports::profiles::write_pprof(input, sink);
  CHECK(done.has_value() == (calls == 8'000));
  if (!done) CHECK(done.error().message.contains("40504500 frames in total, expected at most 33554432"));
  CHECK(exports::profiles::write_collapsed(input, sink));  // writes only rows, of which there are none
}

TEST_CASE("the bytes of collapsed stacks add up to those of a profile, or of what is reachable", "[export]") {
  const auto profile =
      open((root / "corpus/v8/heapprofile/seed/small.heapprofile").string())->snapshot(0)->profile();
  REQUIRE(profile);
  CHECK(add_up(write(*profile)) == count_all(*profile).size);
  const auto dump = open((root / "corpus/mvmheap/v3/seed/moar-2022.12-nqp.mvmheap").string());
  const Graph graph = *dump->snapshot(0)->graph();
  const auto made = exports::profiles::make_profile_of_dominators(graph, analyze::find_retention(graph));
  CHECK(add_up(write(made)) == Heap(graph).total().retained);
}

TEST_CASE("the types of a graph have the places of classes", "[export]") {
  Graph graph = make_v8_graph(
      {{"synthetic", "", 0},
       {"object", "Entry", 8},
       {"object", "Entry", 16},
       {"object", "Entry", 32},
       {"closure", "f", 64}},
      {{0, "element", "1", 1}, {0, "element", "2", 2}, {0, "element", "3", 3}, {0, "element", "4", 4}});
  for (GraphKind& kind : graph.node_kinds) kind.place_is_of_type = kind.name != "synthetic";
  graph.node_kinds.back().type_name = "(closure)";
  const std::uint32_t file = graph.texts.add("app.js");
  graph.source_places = {{.file = file, .line = 3, .column = 7},
                         {.file = file, .line = 9, .column = 1},
                         {.file = Graph::no_text, .line = 5}};
  graph.node_places = {{.node = 1, .place = 0}, {.node = 2, .place = 1}, {.node = 4, .place = 2}};
  const AllocationProfile profile =
      exports::profiles::make_profile_of_dominators(graph, analyze::find_retention(graph));
  // Classes with the same name are different ones, and all functions share a type.
  CHECK(write(profile) == "Entry (app.js:3) 8\nEntry (app.js:9) 16\nEntry 32\n(closure) 64\n");
  // Two types have the same file, which is one text.
  CHECK(profile.texts.count() == 4);
}
