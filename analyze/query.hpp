// Queries for nodes, such as `objects type="ABC" size>1000 by retained`: the group of the nodes, then
// conditions, all of which must be true, then the order. docs/asking.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/no_value.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

enum class Field : std::uint8_t { type, representation, name, kind, id, size, retained };

/// A field, its comparison, and the value on the right.
struct Condition {
  Field field{};
  Comparison comparison{};
  std::variant<NoValue, std::uint64_t, std::string> value;
};

struct Query {
  std::optional<NodeGroup> group;  ///< empty for nodes of all groups
  std::vector<Condition> conditions;
  std::optional<Field> order;  ///< a number by which the nodes are sorted, largest first
};

/// Errors: unsupported; the message names the word that is not understood, its position, and the expected
/// words.
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

/// The indices of the nodes that match, in the order of the query or of the file. `retained` has the retained
/// size of each node in bytes; it may be empty if the query does not use it.
[[nodiscard]] std::vector<std::uint32_t> find_nodes(const Graph& graph, const Query& query,
                                                    std::span<const std::uint64_t> retained = {});

}  // namespace heapcheck::analyze
