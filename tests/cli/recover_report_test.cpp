// The summary of `heapcheck recover`: the list of parts that were dropped.
#include <fmt/format.h>

#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A trace in which `count` events are damaged, each with different bytes lost.
std::string make_damaged_trace(int count) {
  std::string text = R"([{"ph":"X","pid":1,"ts":1,"name":"a"})";
  for (int i = 0; i < count; ++i)
    text += fmt::format(R"(,{{"name":"{}" damage}},{{"ph":"X","pid":1,"ts":2,"name":"b"}})",
                        std::string(static_cast<std::size_t>(i), 'x'));
  return text + "]";
}

}  // namespace

TEST_CASE("recover shows at most 20 lines of dropped parts, and the number of the others", "[program]") {
  const Scratch scratch;
  for (const auto& [count, end] : {std::pair{20, ""}, {21, "    and 1 more\n"}, {23, "    and 3 more\n"}}) {
    const std::string in = scratch.file("in.json", make_damaged_trace(count));
    const std::string out = run("heapcheck recover " + in + " -o " + scratch.path("out.json")).out;
    INFO(out);
    CHECK(out.contains(fmt::format("  dropped: {} events\n    event 1: ", count)));
    CHECK(out.contains(
        fmt::format("    event 39: found 'd', expected ',' or '}}' after a value; the 38 bytes up to the "
                    "next event are left out and may contain more events\n{}  no heap dump could be kept\n",
                    end)));
    CHECK(!out.contains("    event 41: "));
  }
}

TEST_CASE("recover lists every dropped part in JSON", "[program]") {
  const Scratch scratch;
  const std::string in = scratch.file("in.json", make_damaged_trace(23));
  const std::string json =
      run("heapcheck recover --output json " + in + " -o " + scratch.path("out.json")).out;
  std::size_t count = 0;
  for (std::size_t at = json.find("\"kind\": \"event\""); at != std::string::npos;
       at = json.find("\"kind\": \"event\"", at + 1))
    ++count;
  CHECK(count == 23);
  CHECK(json.contains("\"more_dropped_parts\": 0"));
}

TEST_CASE("nothing is lost if only tables of contents were wrong", "[program]") {
  const Scratch scratch;
  for (const std::string name : {"count", "duplicate-entry", "entry-end", "entry-kind", "own-start"}) {
    INFO(name);
    const Outcome outcome =
        run("heapcheck recover " + (root / ("corpus/mvmheap/v3/case/toc-" + name + ".mvmheap")).string() +
            " -o " + scratch.path(name));
    CHECK(outcome.status == 0);
    CHECK(outcome.out.contains("nothing was lost"));
  }
}
