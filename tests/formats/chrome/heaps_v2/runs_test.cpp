#include "formats/chrome/heaps_v2/runs.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;
using heapcheck::chrome::heaps_v2::Runs;

namespace {

/// The runs of 200 rows of ten bytes each, of which up to `most` are added at a time.
Runs make_runs(std::size_t most) {
  Runs runs;
  for (std::uint64_t row = 0; row < 200;) {
    const std::uint64_t offset = 1000 + 10 * row;
    const auto count = std::min<std::size_t>({most, runs.room(offset), 200 - row});
    runs.extend(row, count, {offset, 10 * count});
    row += count;
  }
  return runs;
}

}  // namespace

TEST_CASE("runs do not depend on how many rows are added at a time", "[chrome][heaps_v2]") {
  for (const std::size_t most : {1U, 7U, 63U, 64U, 100U}) {
    const Runs runs = make_runs(most);
    CHECK(runs.find(0) == Span{1000, 640});
    CHECK(runs.find(63) == Span{1000, 640});
    CHECK(runs.find(64) == Span{1640, 640});
    CHECK(runs.find(199) == Span{1000 + 1920, 80});
  }
}

TEST_CASE("rows after a gap, or after a row of its own, begin a run", "[chrome][heaps_v2]") {
  Runs runs;
  runs.extend(0, 2, {10, 20});
  runs.extend(2, 1, {31, 10});
  runs.add(3, {41, 10});
  runs.extend(4, 1, {51, 10});
  CHECK(runs.find(1) == Span{10, 20});
  CHECK(runs.find(2) == Span{31, 10});
  CHECK(runs.find(3) == Span{41, 10});
  CHECK(runs.find(4) == Span{51, 10});
}
