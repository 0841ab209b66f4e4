#include "graph/dom_states.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "graph/breadth_first.hpp"
#include "graph/reach.hpp"

namespace heapcheck::graph {
namespace {

/// For each kind, whether it is V8's kind for nodes outside its heap, such as those of the page.
std::vector<bool> find_native_kinds(const Graph& graph) {
  std::vector<bool> is_native;
  for (const GraphKind& kind : graph.node_kinds) is_native.push_back(kind.name == "native");
  return is_native;
}

class DomStates {
 public:
  DomStates(const Graph& graph, std::vector<DomState> stated)
      : graph_(graph),
        is_native_(find_native_kinds(graph)),
        is_settled_(graph.node_count()),
        states_(std::move(stated)) {
    for (const GraphKind& kind : graph.edge_kinds)
      spreads_.push_back(!kind.is_weak && kind.name != "hidden" && kind.name != "invisible");
  }

  std::vector<DomState> spread() {
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (states_[node] != DomState::unknown) settle(node, states_[node]);
    }
    // A node that both lead to is attached.
    spread_from(attached_, DomState::attached);
    spread_from(detached_, DomState::detached);
    return std::move(states_);
  }

 private:
  const Graph& graph_;
  std::vector<bool> is_native_;  ///< by kind of node
  std::vector<bool> spreads_;    ///< by kind of edge
  NodeSet is_settled_;
  std::vector<DomState> states_;
  std::vector<std::uint32_t> attached_;
  std::vector<std::uint32_t> detached_;

  /// Sets the state of a native node. The search ends at other nodes, which keep what the file states.
  void settle(std::uint32_t node, DomState state) {
    if (!is_settled_.add(node) || !is_native_[graph_.node_kind[node]]) return;
    states_[node] = state;
    (state == DomState::attached ? attached_ : detached_).push_back(node);
  }

  void spread_from(std::vector<std::uint32_t>& waiting, DomState state) {
    while (!waiting.empty()) {
      const std::uint32_t node = waiting.back();
      waiting.pop_back();
      for (const Edge edge : graph_.node(node).edges()) {
        if (spreads_[graph_.edge_kind[static_cast<std::size_t>(edge.index())]]) settle(edge.target(), state);
      }
    }
  }
};

/// Whether the name of a node states that it is detached.
bool names_state(const Graph& graph, std::uint32_t node, const std::vector<bool>& is_native) {
  return is_native[graph.node_kind[node]] && graph.node(node).name().starts_with(detached_prefix);
}

bool starts_with_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Whether DevTools takes the name of an edge for a number: that of a shortcut such as `1 / element`.
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
  const auto is_context = [](std::string_view name) {
    return name == "system / Context" || name.starts_with("system / Context / ");
  };
  NodeSet contexts(graph.node_count());
  for (const Node& node : graph.nodes()) {
    if (is_context(node.name())) contexts.add(node.index());
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

std::vector<DomState> spread_dom_states(const Graph& graph, std::vector<DomState> stated) {
  return DomStates(graph, std::move(stated)).spread();
}

bool has_named_states(const Graph& graph) {
  const std::vector<bool> is_native = find_native_kinds(graph);
  return std::ranges::any_of(graph.nodes(),
                             [&](const Node& node) { return names_state(graph, node.index(), is_native); });
}

std::vector<DomState> find_named_states(const Graph& graph) {
  const std::vector<bool> is_native = find_native_kinds(graph);
  std::vector<DomState> states(graph.node_count());
  for (const Node& node : graph.nodes()) {
    if (names_state(graph, node.index(), is_native)) states[node.index()] = DomState::detached;
  }
  return states;
}

NodeSet find_detached_names(const Graph& graph) {
  const std::vector<bool> is_native = find_native_kinds(graph);
  NodeSet names(graph.texts.count());
  for (std::uint32_t node = 0; node < graph.node_dom_state.size(); ++node) {
    if (graph.node_dom_state[node] == DomState::detached && is_native[graph.node_kind[node]])
      names.add(graph.node_name[node]);
  }
  return names;
}

void rename_detached(const NodeSet& names, Graph& graph) {
  const std::vector<bool> is_native = find_native_kinds(graph);
  std::vector<std::uint32_t> renamed(static_cast<std::size_t>(names.size()), Graph::no_text);
  for (std::uint32_t text = 0; text < names.size(); ++text) {
    if (names.has(text))
      renamed[text] = graph.texts.add(std::string(detached_prefix) + std::string(graph.texts[text]));
  }
  for (std::uint32_t node = 0; node < graph.node_dom_state.size(); ++node) {
    if (graph.node_dom_state[node] == DomState::detached && is_native[graph.node_kind[node]])
      graph.node_name[node] = renamed[graph.node_name[node]];
  }
}

std::string_view stateless_name(const Node& node) {
  std::string_view name = node.name();
  const bool has_prefix = node.dom_state() == DomState::detached && node.kind().name == "native";
  if (has_prefix && name.starts_with(detached_prefix)) name.remove_prefix(detached_prefix.size());
  return name;
}

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
