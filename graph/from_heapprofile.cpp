#include "graph/make_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/make_empty.hpp"

namespace heapcheck::graph {
namespace {

using v8::heapprofile::Nodes;
using v8::heapprofile::Profile;
using v8::heapprofile::row_of;

Result<void> check_parents(const Nodes& nodes) {
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    const bool holds = i == 0 ? nodes.parent[i] == v8::heapprofile::no_parent : row_of(nodes.parent[i]) < i;
    if (!holds) return refuse(fmt::format("node {} does not come after its parent", i));
  }
  return {};
}

Extent measure(const Profile& profile) {
  Extent extent{.nodes = profile.nodes.count(),
                .edges = std::max<std::uint64_t>(profile.nodes.count(), 1) - 1,
                .texts = profile.strings.count() + 1,
                .text_bytes = 0};
  for (std::uint64_t i = 0; i < profile.strings.count(); ++i)
    extent.text_bytes += profile.strings[static_cast<core::PoolIndex>(i)].size();
  const auto has_wide_id = [](std::uint64_t id) { return is_wide(id) && id != v8::heapprofile::no_id; };
  extent.wide_columns = (std::ranges::any_of(profile.nodes.self_size, is_wide) ? 1U : 0U) +
                        (std::ranges::any_of(profile.nodes.id, has_wide_id) ? 1U : 0U);
  return extent;
}

void add_nodes(const Profile& profile, Graph& graph) {
  for (std::uint64_t i = 0; i < profile.strings.count(); ++i)
    graph.texts.add(profile.strings[static_cast<core::PoolIndex>(i)]);
  const std::uint32_t no_name = graph.texts.add({});
  graph.node_kinds = {{.name = "function", .group = NodeGroup::frame}};
  graph.node_kind.resize(profile.nodes.count());
  graph.node_size = GraphColumn(profile.nodes.self_size);
  graph.node_name.reserve(profile.nodes.count());
  graph.node_id.reserve(profile.nodes.count());
  for (std::size_t i = 0; i < profile.nodes.count(); ++i) {
    const core::PoolIndex name = profile.nodes.function_name[i];
    const std::uint64_t id = profile.nodes.id[i];
    graph.node_name.push_back(name == v8::heapprofile::no_text ? no_name : static_cast<std::uint32_t>(name));
    graph.node_id.push_back(id == v8::heapprofile::no_id ? i : id);
  }
}

/// Counts the children of each node first, because the counts determine the positions of the edges.
void add_edges(const Nodes& nodes, Graph& graph) {
  const std::size_t edges = nodes.count() - 1;
  graph.edge_kinds = {{.name = "call"}};
  graph.edge_kind.resize(edges);
  graph.edge_name.assign(edges, static_cast<std::uint32_t>(graph.texts.count() - 1));
  graph.edge_target.resize(edges);
  std::vector<std::uint64_t> first_edge(nodes.count() + 1);
  for (std::size_t i = 1; i < nodes.count(); ++i) ++first_edge[row_of(nodes.parent[i])];
  std::uint64_t end = 0;
  for (std::uint64_t& first : first_edge) first = end += first;
  // Each entry is now the end of its node's edges, and is moved to the beginning of these edges.
  for (std::size_t i = nodes.count(); i-- > 1;)
    graph.edge_target[static_cast<std::size_t>(--first_edge[row_of(nodes.parent[i])])] =
        static_cast<std::uint32_t>(i);
  graph.first_edge = GraphColumn(first_edge);
}

}  // namespace

Result<Graph> make_graph(const Profile& profile, const Limits& limits) {
  auto graph = make_empty(measure(profile), limits);
  if (!graph) return graph;
  if (auto holds = check_parents(profile.nodes); !holds) return std::unexpected(holds.error());
  add_nodes(profile, *graph);
  add_edges(profile.nodes, *graph);
  return graph;
}

}  // namespace heapcheck::graph
