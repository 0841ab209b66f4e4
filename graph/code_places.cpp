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

/// What a string means if it is the name of a type or of a reference from a frame.
enum class Meaning : std::uint8_t { none, static_frame, code, raku, reference_to_code };

Meaning find_meaning(std::string_view text) {
  if (text == static_frame) return Meaning::static_frame;
  if (text == code) return Meaning::code;
  if (text == "Static frame" || text == "Code reference") return Meaning::reference_to_code;
  return std::ranges::find(raku_types, text) == std::end(raku_types) ? Meaning::none : Meaning::raku;
}

class PlaceFinder {
 public:
  explicit PlaceFinder(Graph& graph) : graph_(graph), places_(graph.node_count(), none) {
    for (const NodePlace& frame : graph.node_places) places_[frame.node] = frame.place;
    // Each name is examined only once, and not again for each node: there may be many times more nodes.
    meanings_.reserve(graph.texts.count());
    for (std::size_t text = 0; text < graph.texts.count(); ++text)
      meanings_.push_back(find_meaning(graph.texts[text]));
  }

  /// Follows the references from frames to static frames, and then those from code objects, step by step.
  void run() {
    const std::vector<NodePlace> frames = graph_.node_places;
    for (const NodePlace& frame : frames) {
      for (const Edge edge : graph_.node(frame.node).edges()) {
        if (edge.kind().has_index) continue;
        if (meanings_[graph_.edge_name[static_cast<std::size_t>(edge.index())]] == Meaning::reference_to_code)
          give(edge.target(), frame.place);
      }
    }
    std::vector<std::uint32_t> raku_objects;
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      const Meaning type = type_of(node);
      if (type == Meaning::code) take_from_target(node, Meaning::static_frame);
      if (type == Meaning::raku) raku_objects.push_back(node);
    }
    for (const std::uint32_t node : raku_objects) take_from_target(node, Meaning::code);
    std::ranges::sort(graph_.node_places, {}, &NodePlace::node);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `none` for nodes that are not objects, and for objects that are not code.
  [[nodiscard]] Meaning type_of(std::uint32_t node) const {
    const Meaning type = meanings_[graph_.node_name[node]];
    if (type == Meaning::none || type == Meaning::reference_to_code) return Meaning::none;
    return graph_.node_kinds[graph_.node_kind[node]].group == NodeGroup::object ? type : Meaning::none;
  }

  void give(std::uint32_t node, std::uint32_t place) {
    if (places_[node] != none || type_of(node) == Meaning::none) return;
    places_[node] = place;
    graph_.node_places.push_back({.node = node, .place = place});
  }

  /// Gives the node the place of the first object of that type to which it refers. A code object refers to
  /// its static frame before it refers to the frame around it.
  void take_from_target(std::uint32_t node, Meaning type) {
    for (const Edge edge : graph_.node(node).edges()) {
      if (type_of(edge.target()) != type) continue;
      if (places_[edge.target()] != none) give(node, places_[edge.target()]);
      return;
    }
  }

  Graph& graph_;
  std::vector<std::uint32_t> places_;  // of each node
  std::vector<Meaning> meanings_;      // of each text
};

}  // namespace

bool is_code_type(std::string_view type) {
  const Meaning meaning = find_meaning(type);
  return meaning != Meaning::none && meaning != Meaning::reference_to_code;
}

void add_code_places(Graph& graph) {
  if (!graph.node_places.empty()) PlaceFinder(graph).run();
}

}  // namespace heapcheck::graph
