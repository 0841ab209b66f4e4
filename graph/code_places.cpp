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

enum class CodeType : std::uint8_t { none, static_frame, code, raku };

CodeType find_code_type(std::string_view type) {
  if (type == static_frame) return CodeType::static_frame;
  if (type == code) return CodeType::code;
  return std::ranges::find(raku_types, type) == std::end(raku_types) ? CodeType::none : CodeType::raku;
}

class PlaceFinder {
 public:
  explicit PlaceFinder(Graph& graph) : graph_(graph), places_(graph.node_count(), none) {
    for (const NodePlace& frame : graph.node_places) places_[frame.node] = frame.place;
    // Names are looked at once and not for each node, of which there may be many times more.
    types_.reserve(graph.texts.count());
    for (std::size_t text = 0; text < graph.texts.count(); ++text)
      types_.push_back(find_code_type(graph.texts[text]));
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
    std::vector<std::uint32_t> raku_objects;
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      const CodeType type = type_of(node);
      if (type == CodeType::code) take_from_target(node, CodeType::static_frame);
      if (type == CodeType::raku) raku_objects.push_back(node);
    }
    for (const std::uint32_t node : raku_objects) take_from_target(node, CodeType::code);
    std::ranges::sort(graph_.node_places, {}, &NodePlace::node);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  [[nodiscard]] CodeType type_of(std::uint32_t node) const {
    const CodeType type = types_[graph_.node_name[node]];
    const bool is_object = graph_.node_kinds[graph_.node_kind[node]].group == NodeGroup::object;
    return type != CodeType::none && is_object ? type : CodeType::none;
  }

  void give(std::uint32_t node, std::uint32_t place) {
    if (places_[node] != none || type_of(node) == CodeType::none) return;
    places_[node] = place;
    graph_.node_places.push_back({.node = node, .place = place});
  }

  /// Gives the node the place of the first object of a type to which it refers. A code object refers to its
  /// static frame before it refers to the frame around it.
  void take_from_target(std::uint32_t node, CodeType type) {
    for (const Edge edge : graph_.node(node).edges()) {
      if (type_of(edge.target()) != type) continue;
      if (places_[edge.target()] != none) give(node, places_[edge.target()]);
      return;
    }
  }

  Graph& graph_;
  std::vector<std::uint32_t> places_;  // of each node
  std::vector<CodeType> types_;        // of each text
};

}  // namespace

void add_code_places(Graph& graph) {
  if (!graph.node_places.empty()) PlaceFinder(graph).run();
}

}  // namespace heapcheck::graph
