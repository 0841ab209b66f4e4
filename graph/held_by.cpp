#include "graph/held_by.hpp"

#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

#include "graph/breadth_first.hpp"
#include "graph/reach.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::graph {
namespace {

bool starts_with_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Whether DevTools treats the name of an edge as a number: that of a shortcut such as `1 / element`.
bool has_number(const Edge& edge) {
  return edge.kind().has_index || (edge.kind().name == "shortcut" && starts_with_digit(edge.name()));
}

/// The nodes with an edge that has this name.
NodeSet find_sources(const Graph& graph, std::string_view name) {
  NodeSet sources(graph.node_count());
  for (const Node& node : graph.nodes()) {
    for (const Edge edge : node.edges()) {
      if (edge.name() == name) sources.add(node.index());
    }
  }
  return sources;
}

/// What an event listener calls: the target of its first edge with the name or number 1.
std::optional<std::uint32_t> find_callback(const Node& listener) {
  for (const Edge edge : listener.edges()) {
    const bool is_it = edge.kind().has_index ? edge.number() == 1 : edge.name() == "1";
    if (is_it) return edge.target();
  }
  return std::nullopt;
}

/// The function that an event listener calls: its callback or, if that is an object with a function, the
/// first function in it.
std::uint32_t find_handler(const Graph& graph, const NodeSet& functions, std::uint32_t callback) {
  if (functions.has(callback)) return callback;
  for (const Edge edge : graph.node(callback).edges()) {
    if (functions.has(edge.target())) return edge.target();
  }
  return callback;
}

NodeSet find_event_handlers(const Graph& graph) {
  const NodeSet functions = find_sources(graph, "code");
  NodeSet callbacks(graph.node_count());
  NodeSet handlers(graph.node_count());
  for (const Node& node : graph.nodes()) {
    if (node.name() != "V8EventListener") continue;
    const auto callback = find_callback(node);
    // Many listeners may have the same callback, whose edges are searched only once.
    if (callback && callbacks.add(*callback)) handlers.add(find_handler(graph, functions, *callback));
  }
  return handlers;
}

NodeSet find_contexts(const Graph& graph) {
  NodeSet contexts(graph.node_count());
  for (const Node& node : graph.nodes()) {
    if (is_context(node)) contexts.add(node.index());
  }
  return contexts;
}

NodeSet find_detached(const Graph& graph) {
  NodeSet detached(graph.node_count());
  for (std::uint32_t node = 0; node < graph.node_dom_state.size(); ++node) {
    if (graph.node_dom_state[node] == DomState::detached) detached.add(node);
  }
  return detached;
}

/// The nodes that can be reached from the root along edges that are not weak, except those that
/// `is_left_out`.
template <class IsLeftOut>
NodeSet reach_unless(const Graph& graph, IsLeftOut is_left_out) {
  const auto targets_of = [&](std::uint64_t node) {
    const auto source = static_cast<std::uint32_t>(node);
    return graph.node(source).edges() | std::views::filter([is_left_out, source](const Edge& edge) {
             return !edge.kind().is_weak && !is_left_out(source, edge);
           }) |
           std::views::transform([](const Edge& edge) { return std::uint64_t{edge.target()}; });
  };
  EdgesByNode source(graph.node_count(), targets_of);
  return find_reachable(source);
}

NodeSet reach_without(const Graph& graph, const NodeSet& holders) {
  return reach_unless(graph,
                      [&holders](std::uint32_t, const Edge& edge) { return holders.has(edge.target()); });
}

NodeSet reach_without_console(const Graph& graph) {
  return reach_unless(graph, [&graph](std::uint32_t source, const Edge& edge) {
    return !has_number(edge) && edge.name().ends_with(" / DevTools console") &&
           graph.node(source).kind().name == "synthetic";
  });
}

NodeSet reach_without(const Graph& graph, HeldBy holder) {
  switch (holder) {
    case HeldBy::detached_dom:
      return reach_without(graph, find_detached(graph));
    case HeldBy::console:
      return reach_without_console(graph);
    case HeldBy::event_handlers:
      return reach_without(graph, find_event_handlers(graph));
    case HeldBy::contexts:
      break;
  }
  return reach_without(graph, find_contexts(graph));
}

}  // namespace

NodeSet find_held(const Graph& graph, HeldBy holder) {
  const NodeSet reached = reach_without(graph, holder);
  const std::vector<std::uint32_t> distances = find_distances(graph);
  NodeSet held(graph.node_count());
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (!reached.has(node) && distances[node] != no_distance) held.add(node);
  }
  return held;
}

}  // namespace heapcheck::graph
