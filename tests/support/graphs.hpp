// Graphs for tests: small graphs made by hand, and the graphs of the seeds in the corpus.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/make_graph.hpp"
#include "graph/reach.hpp"
#include "tests/support/dumps.hpp"
#include "tests/support/heapprofiles.hpp"
#include "tests/support/heapsnapshots.hpp"

namespace heapcheck::tests {

/// For each node, the nodes to which its edges lead.
using EdgeLists = std::vector<std::vector<std::uint32_t>>;

/// Edges are `strong`, or `weak` if their target is in `weak_targets`.
inline Graph make_graph_of(const EdgeLists& edges, const std::vector<std::uint32_t>& weak_targets = {}) {
  Graph graph;
  graph.node_kinds = {{.name = "node"}};
  graph.edge_kinds = {{.name = "strong"}, {.name = "weak", .is_weak = true}};
  const std::uint32_t no_name = graph.texts.add({});
  for (const auto& targets : edges) {
    graph.first_edge.push_back(graph.edge_count());
    graph.node_id.push_back(graph.node_id.size());
    for (const std::uint32_t target : targets) {
      graph.edge_kind.push_back(std::ranges::count(weak_targets, target) != 0 ? 1 : 0);
      graph.edge_name.push_back(no_name);
      graph.edge_target.push_back(target);
    }
  }
  graph.first_edge.push_back(graph.edge_count());
  graph.node_kind.resize(edges.size());
  graph.node_name.resize(edges.size());
  graph.node_size.resize(edges.size());
  return graph;
}

inline const std::vector<std::string> mvmheap_seeds{
    "v1/seed/moar-2017.08-small.txt",   "v1/seed/two-snapshots.txt",
    "v2/seed/layout-a.mvmheap",         "v2/seed/moar-2018.03-small.mvmheap",
    "v3/seed/moar-2022.12-nqp.mvmheap", "v3/seed/two-snapshots.mvmheap"};
inline const std::vector<std::string> heapsnapshot_seeds{
    "chrome-64.heapsnapshot", "chrome-156.heapsnapshot",     "node-10.heapsnapshot",
    "node-20.heaptimeline",   "node-24-stacks.heaptimeline", "other-engine.heapsnapshot"};
inline const std::vector<std::string> heapprofile_seeds{"chrome-64.heapprofile", "flat.heapprofile",
                                                        "node-20-default.heapprofile"};

/// The graph of the last snapshot of a MoarVM dump.
inline Result<Graph> make_last_graph(const Model& model, const Limits& limits = {}) {
  REQUIRE(!model.snapshots.empty());
  return graph::make_graph(model.snapshots.back(), model.tables, limits);
}

/// The graphs of all these seeds.
inline std::vector<Graph> read_seed_graphs() {
  std::vector<Result<Graph>> made;
  for (const std::string& seed : mvmheap_seeds) made.push_back(make_last_graph(read_model(read_seed(seed))));
  for (const std::string& seed : heapsnapshot_seeds)
    made.push_back(graph::make_graph(read_snapshot(read_snapshot_seed(seed)).snapshot, Limits{}));
  for (const std::string& seed : heapprofile_seeds)
    made.push_back(graph::make_graph(read_profile(read_profile_seed(seed)).profile, Limits{}));
  std::vector<Graph> graphs;
  for (Result<Graph>& graph : made) {
    REQUIRE(graph);
    graphs.push_back(std::move(*graph));
  }
  return graphs;
}

/// The edges of a graph, including weak edges. Borrows the graph.
inline auto edges_of(const Graph& of) {
  return graph::EdgesByNode(of.node_count(), [&of](std::uint64_t node) {
    const auto first = static_cast<std::size_t>(of.first_edge[static_cast<std::size_t>(node)]);
    const auto end = static_cast<std::size_t>(of.first_edge[static_cast<std::size_t>(node) + 1]);
    return std::span(of.edge_target).subspan(first, end - first);
  });
}

}  // namespace heapcheck::tests
