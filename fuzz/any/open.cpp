// Property: for any bytes, the snapshots of a dump are the same however they are requested, their graphs are
// sound, and a valid dump is complete.
#include <array>
#include <vector>

#include "fuzz/support/inputs.hpp"
#include "graph/breadth_first.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Row = std::array<std::uint64_t, 5>;

Row describe(const Snapshot& snapshot) {
  return {snapshot.index(), snapshot.is_whole() ? 1U : 0U, snapshot.node_count(), snapshot.edge_count(),
          snapshot.byte_count()};
}

std::vector<Row> list(const Dump& dump) {
  std::vector<Row> rows;
  for (const Snapshot& snapshot : dump.snapshots()) rows.push_back(describe(snapshot));
  return rows;
}

void require_sound(const Graph& graph) {
  const graph::ShortestPaths paths = graph::find_shortest_paths(graph);
  require(paths.distance.size() == graph.node_count(), "every node has a distance");
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (paths.parent_edge[node] == graph::ShortestPaths::no_edge) continue;
    require(Edge(graph, paths.parent_edge[node]).target() == node,
            "the last edge of a path leads to its node");
    require(paths.distance[node] == paths.distance[paths.parent[node]] + 1,
            "a path is one edge longer than that of the parent");
  }
}

void require_sound_graphs(const Dump& dump, bool is_valid) {
  for (const Snapshot& snapshot : dump.snapshots()) {
    require(!is_valid || snapshot.is_whole(), "a valid dump is complete");
    const auto graph = snapshot.graph();
    if (graph) {
      require(graph->node_count() == snapshot.node_count(), "the graph has as many nodes as its snapshot");
      require_sound(*graph);
    } else {
      const bool is_refused =
          graph.error().kind == ErrorKind::unsupported || graph.error().kind == ErrorKind::limit;
      require(!is_valid || is_refused, "a valid snapshot has a graph");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ReadOptions options{.limits = fuzz::make_limits()};
  const auto dump = open_bytes({data, size}, options);
  if (!dump) {
    require(!dump.error().message.empty(), "there is a reason why a dump cannot be opened");
    return 0;
  }
  const std::vector<Row> rows = list(*dump);
  require(rows == list(*dump), "the snapshots are the same the second time");
  const auto checked = open_bytes({data, size}, options);
  const Report report = heapcheck::validate(*checked);
  if (report.count_limits() != 0)
    return 0;  // one way of reading may reach a limit that another way does not reach
  for (std::size_t i = 0; i < rows.size(); i += rows.size() / 8 + 1) {  // each is slow to find
    const auto found = dump->snapshot(rows[i][0]);
    require(found && describe(*found) == rows[i], "a snapshot is the same when read on its own");
  }
  require(rows == list(*checked), "the snapshots are the same after the check");
  const bool is_valid = report.verdict == Verdict::valid;
  require(!is_valid || !dump->snapshot(rows.size()), "there is no snapshot after the last one");
  require_sound_graphs(*checked, is_valid);
  return 0;
}
