// Follows an edge by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// The target of the first edge of a node that has this name; none if there is no such edge. Takes time
/// linear in the number of edges of the node.
[[nodiscard]] inline std::optional<std::uint32_t> follow(const Node& node, std::string_view name) {
  for (const Edge edge : node.edges()) {
    if (edge.name() == name) return edge.target();
  }
  return std::nullopt;
}

}  // namespace heapcheck::graph
