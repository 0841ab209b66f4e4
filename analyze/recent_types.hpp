// Remembers a value for the types of the nodes that were looked at last, so that the names of types are
// compared as numbers for most nodes. Borrows the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Nodes with the same kind, name and representation have the same type. Names with different indices may
/// still be equal strings, so several remembered types may be the same one.
template <class Value>
class RecentTypes {
 public:
  explicit RecentTypes(const Graph& graph) : graph_(&graph), slots_(slot_count) {}

  /// The value for the type of a node, which `make` returns unless it is remembered.
  template <class Make>
  const Value& find(std::uint32_t node, Make make) {
    const std::uint8_t kind = graph_->node_kind[node];
    // The name of a string is its contents.
    const bool has_name = graph_->node_kinds[kind].group != NodeGroup::string;
    const std::uint32_t name = has_name ? graph_->node_name[node] : Graph::no_text;
    const std::uint32_t representation =
        graph_->node_representation.empty() ? Graph::no_text : graph_->node_representation[node];
    Slot& slot = slots_[(name + 31U * kind) % slot_count];
    if (!slot.is_used || slot.name != name || slot.kind != kind || slot.representation != representation)
      slot = {.name = name, .representation = representation, .kind = kind, .is_used = true, .value = make()};
    return slot.value;
  }

 private:
  static constexpr std::size_t slot_count = 512;

  struct Slot {
    std::uint32_t name = 0;
    std::uint32_t representation = 0;
    std::uint8_t kind = 0;
    bool is_used = false;
    Value value{};
  };
  const Graph* graph_;
  std::vector<Slot> slots_;
};

}  // namespace heapcheck::analyze
