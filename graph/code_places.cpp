#include "graph/code_places.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heapcheck::graph {
namespace {

constexpr std::string_view static_frame = "BOOTStaticFrame";
constexpr std::string_view code = "BOOTCode";
/// Raku's classes whose objects refer to one code object of MoarVM.
constexpr std::string_view raku_types[] = {"Code",   "Block",     "WhateverCode", "Routine", "Sub",
                                           "Method", "Submethod", "Regex",        "Macro"};

bool is_raku_type(std::string_view type) {
  return std::ranges::find(raku_types, type) != std::end(raku_types);
}

class PlaceFinder {
 public:
  explicit PlaceFinder(Graph& graph) : graph_(graph), places_(graph.node_count(), none) {
    for (const NodePlace& frame : graph.node_places) places_[frame.node] = frame.place;
  }

  /// Follows the references from frames to static frames, and then those from code objects, step by step.
  void run() {
    const std::vector<NodePlace> frames = graph_.node_places;
    for (const NodePlace& frame : frames) {
      for (const Edge edge : graph_.node(frame.node).edges()) {
        if (edge.name() == "Static frame" || edge.name() == "Code reference")
          give(edge.target(), frame.place);
      }
    }
    for (const Node& node : graph_.nodes()) {
      if (is_object(node.index(), code))
        take_from_target(node, [](auto type) { return type == static_frame; });
    }
    for (const Node& node : graph_.nodes()) {
      if (node.kind().group == NodeGroup::object && is_raku_type(node.name()))
        take_from_target(node, [](auto type) { return type == code; });
    }
    std::ranges::sort(graph_.node_places, {}, &NodePlace::node);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  [[nodiscard]] bool is_object(std::uint32_t node, std::string_view type) const {
    return graph_.node(node).kind().group == NodeGroup::object && graph_.node(node).name() == type;
  }

  void give(std::uint32_t node, std::uint32_t place) {
    if (places_[node] != none || !is_code_type(graph_.node(node).name())) return;
    places_[node] = place;
    graph_.node_places.push_back({.node = node, .place = place});
  }

  /// Gives the node the place of the first node of a type to which it refers. A code object refers to its
  /// static frame before it refers to the frame around it.
  template <class IsType>
  void take_from_target(const Node& node, IsType is_type) {
    for (const Edge edge : node.edges()) {
      const std::uint32_t target = edge.target();
      if (graph_.node(target).kind().group != NodeGroup::object || !is_type(graph_.node(target).name()))
        continue;
      if (places_[target] != none) give(node.index(), places_[target]);
      return;
    }
  }

  Graph& graph_;
  std::vector<std::uint32_t> places_;  // of each node
};

}  // namespace

bool is_code_type(std::string_view type) {
  return type == static_frame || type == code || is_raku_type(type);
}

void add_code_places(Graph& graph) {
  if (!graph.node_places.empty()) PlaceFinder(graph).run();
}

}  // namespace heapcheck::graph
