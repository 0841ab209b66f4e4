// Queries for nodes, such as `objects type="ABC" size>1000 by retained`. A query states the group of the
// nodes, then conditions, all of which must be true, and then the order. docs/asking.md describes queries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/held_by.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/no_value.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// Strings come before numbers.
enum class Field : std::uint8_t {
  type,
  representation,
  name,
  kind,
  detached,  ///< whether the node is detached: a condition without a value
  held_by,   ///< what holds the node: equal to a graph::HeldBy
  id,
  size,
  retained,
  allocated,  ///< when the node was allocated, in microseconds since the recording began
};

/// A field, its comparison, and the value on the right.
struct Condition {
  Field field{};
  Comparison comparison{};
  std::variant<NoValue, std::uint64_t, std::string, graph::HeldBy> value;
};

struct Query {
  std::optional<NodeGroup> group;  ///< empty for nodes of all groups
  std::vector<Condition> conditions;
  std::optional<Field> order;  ///< a number by which the nodes are sorted, largest first
};

/// Whether the query has a condition on this field, or sorts by it.
[[nodiscard]] bool uses(const Query& query, Field field);

/// Parses a query. Errors: unsupported, with a message that names the word that was not understood, its
/// position, and the expected words.
[[nodiscard]] Result<Query> parse_query(std::string_view text);

/// Whether `left` compares with `right` in this way; false for `contains`.
template <class T>
[[nodiscard]] constexpr bool holds(Comparison comparison, const T& left, const T& right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::not_equal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::greater:
      return left > right;
    case Comparison::at_most:
      return left <= right;
    case Comparison::at_least:
      return left >= right;
    case Comparison::contains:
      break;
  }
  return false;
}

/// Checks that each text that must be equal to a type, name, kind or representation occurs in the graph,
/// because a misspelt name must not look like a type without nodes. Errors: unsupported, with the most
/// similar text.
[[nodiscard]] Result<void> check_texts(const Graph& graph, const Query& query);

/// The indices of the nodes that match, in the order that the query states or in file order. `retained`
/// contains the retained size of each node in bytes, and may be empty if the query does not use it.
[[nodiscard]] std::vector<std::uint32_t> find_nodes(const Graph& graph, const Query& query,
                                                    std::span<const std::uint64_t> retained = {});

}  // namespace heapcheck::analyze
