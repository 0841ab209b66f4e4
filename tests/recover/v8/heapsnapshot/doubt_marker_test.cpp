#include "recover/v8/heapsnapshot/doubt_marker.hpp"

#include <algorithm>

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;

TEST_CASE("edges between two exchanged pieces are not kept", "[v8][heapsnapshot][recover]") {
  constexpr std::size_t first = 6736;
  constexpr std::size_t second = 8286;
  constexpr std::size_t byte_count = 800;
  const std::string text = tests::read_snapshot_seed("chrome-156.heapsnapshot");
  std::string damaged = text;
  std::swap_ranges(damaged.begin() + first, damaged.begin() + first + byte_count, damaged.begin() + second);
  const std::set<tests::Edge> edges = tests::edges_of(tests::read_snapshot(text).snapshot);
  const std::set<tests::Edge> kept = tests::edges_of(tests::recover(damaged).snapshot);
  CHECK(kept.size() > 100);
  CHECK(std::ranges::includes(edges, kept));
}
