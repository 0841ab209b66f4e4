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
    for (std::uint32_t i = 0; i < graph.source_places.size(); ++i) places_[graph.source_places[i].node] = i;
  }

  /// Follows the references from frames to static frames, and then those from code objects, step by step.
  void run() {
    const std::vector<SourcePlace> frames = graph_.source_places;
    for (const SourcePlace& frame : frames) {
      for (const Edge edge : graph_.node(frame.node).edges()) {
        if (edge.name() == "Static frame" || edge.name() == "Code reference") give(edge.target(), frame.node);
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
    std::ranges::sort(graph_.source_places, {}, &SourcePlace::node);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  [[nodiscard]] bool is_object(std::uint32_t node, std::string_view type) const {
    return graph_.node(node).kind().group == NodeGroup::object && graph_.node(node).name() == type;
  }

  void give(std::uint32_t node, std::uint32_t from) {
    if (places_[node] != none || !is_code_type(graph_.node(node).name())) return;
    SourcePlace place = graph_.source_places[places_[from]];
    place.node = node;
    places_[node] = static_cast<std::uint32_t>(graph_.source_places.size());
    graph_.source_places.push_back(place);
  }

  /// Gives the node the place of the first node of a type to which it refers. A code object refers to its
  /// static frame before it refers to the frame around it.
  template <class IsType>
  void take_from_target(const Node& node, IsType is_type) {
    for (const Edge edge : node.edges()) {
      const std::uint32_t target = edge.target();
      if (graph_.node(target).kind().group != NodeGroup::object || !is_type(graph_.node(target).name()))
        continue;
      if (places_[target] != none) give(node.index(), target);
      return;
    }
  }

  Graph& graph_;
  std::vector<std::uint32_t> places_;  // of each node, an index into the places of the graph
};

}  // namespace

bool is_code_type(std::string_view type) {
  return type == static_frame || type == code || is_raku_type(type);
}

void add_code_places(Graph& graph) {
  if (!graph.source_places.empty()) PlaceFinder(graph).run();
}

}  // namespace heapcheck::graph
