#include "graph/dom_states.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace heapcheck::graph {
namespace {

/// Whether a node is outside V8's heap, as the nodes of the page are.
bool is_native(const Node& node) { return node.kind().name == "native"; }

bool is_detached_native(const Node& node) {
  return node.dom_state() == DomState::detached && is_native(node);
}

/// Whether the name of a node states that it is detached.
bool names_state(const Node& node) { return is_native(node) && node.name().starts_with(detached_prefix); }

class DomStates {
 public:
  DomStates(const Graph& graph, std::vector<DomState> stated)
      : graph_(graph), is_settled_(graph.node_count()), states_(std::move(stated)) {
    for (const GraphKind& kind : graph.edge_kinds)
      spreads_.push_back(!kind.is_weak && kind.name != "hidden" && kind.name != "invisible");
  }

  std::vector<DomState> spread() {
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (states_[node] != DomState::unknown) settle(node, states_[node]);
    }
    // A node to which nodes of both states lead is attached.
    spread_from(attached_, DomState::attached);
    spread_from(detached_, DomState::detached);
    return std::move(states_);
  }

 private:
  const Graph& graph_;
  std::vector<bool> spreads_;  ///< by kind of edge
  NodeSet is_settled_;
  std::vector<DomState> states_;
  std::vector<std::uint32_t> attached_;
  std::vector<std::uint32_t> detached_;

  /// Sets the state of a native node. The search ends at other nodes, which keep what the file states.
  void settle(std::uint32_t node, DomState state) {
    if (!is_settled_.add(node) || !is_native(graph_.node(node))) return;
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

}  // namespace

std::vector<DomState> spread_dom_states(const Graph& graph, std::vector<DomState> stated) {
  return DomStates(graph, std::move(stated)).spread();
}

bool has_named_states(const Graph& graph) { return std::ranges::any_of(graph.nodes(), names_state); }

std::vector<DomState> find_named_states(const Graph& graph) {
  std::vector<DomState> states(graph.node_count());
  for (const Node& node : graph.nodes()) {
    if (names_state(node)) states[node.index()] = DomState::detached;
  }
  return states;
}

NodeSet find_detached_names(const Graph& graph) {
  NodeSet names(graph.texts.count());
  for (const Node& node : graph.nodes()) {
    if (is_detached_native(node)) names.add(graph.node_name[node.index()]);
  }
  return names;
}

void rename_detached(const NodeSet& names, Graph& graph) {
  std::vector<std::uint32_t> renamed(static_cast<std::size_t>(names.size()), Graph::no_text);
  for (std::uint32_t text = 0; text < names.size(); ++text) {
    if (names.has(text))
      renamed[text] = graph.texts.add(std::string(detached_prefix) + std::string(graph.texts[text]));
  }
  for (const Node& node : graph.nodes()) {
    if (is_detached_native(node)) graph.node_name[node.index()] = renamed[graph.node_name[node.index()]];
  }
}

std::string_view stateless_name(const Node& node) {
  std::string_view name = node.name();
  if (is_detached_native(node) && name.starts_with(detached_prefix))
    name.remove_prefix(detached_prefix.size());
  return name;
}

}  // namespace heapcheck::graph
