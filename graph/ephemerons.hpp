// The names of the edges that V8 writes for the entries of a WeakMap. Borrows the names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// An entry of a WeakMap: V8 writes two edges to the value, one from the key and one from the table.
struct Ephemeron {
  std::string_view entry;  ///< the part of the name that both edges have in common
  std::uint64_t table;     ///< the id of the table
};

/// Parses a name such as `2 / part of key (Object @5) -> value (Object @7) pair in WeakMap (table @9)`.
[[nodiscard]] std::optional<Ephemeron> parse_ephemeron(std::string_view name);

/// Which of the graph's texts are such names: a set of indices.
[[nodiscard]] NodeSet find_ephemeron_names(const Graph& graph);

}  // namespace heapcheck::graph
