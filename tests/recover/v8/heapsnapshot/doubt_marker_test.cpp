#include "recover/v8/heapsnapshot/doubt_marker.hpp"

#include <set>
#include <tuple>

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;

namespace {

/// The id of the owner, the type, and the id of the target of an edge.
using Edge = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

std::set<Edge> edges_of(const Snapshot& snapshot) {
  const auto& ids = *snapshot.find_column(Section::nodes, "id");
  const auto& counts = *snapshot.find_column(Section::nodes, "edge_count");
  const auto& types = *snapshot.find_column(Section::edges, "type");
  const auto& targets = *snapshot.find_column(Section::edges, "to_node");
  const std::uint64_t fields = snapshot.table(Section::nodes).columns.size();
  std::set<Edge> edges;
  std::uint64_t edge = 0;
  for (std::uint64_t node = 0; node < ids.count(); ++node) {
    for (std::uint64_t left = counts[node]; left != 0; --left, ++edge)
      edges.emplace(ids[node], types[edge], ids[targets[edge] / fields]);
  }
  return edges;
}

}  // namespace

TEST_CASE("edges between two exchanged pieces are not kept", "[v8][heapsnapshot][recover]") {
  constexpr std::size_t first = 6736;
  constexpr std::size_t second = 8286;
  constexpr std::size_t byte_count = 800;
  const std::string text = tests::read_snapshot_seed("chrome-156.heapsnapshot");
  std::string damaged = text;
  std::swap_ranges(damaged.begin() + first, damaged.begin() + first + byte_count, damaged.begin() + second);
  const std::set<Edge> edges = edges_of(tests::read_snapshot(text).snapshot);
  const std::set<Edge> kept = edges_of(tests::recover(damaged).snapshot);
  CHECK(kept.size() > 100);
  CHECK(std::ranges::includes(edges, kept));
}
