// The first step in making a graph, which is the same for every format. Compares the model's counts with the
// limits of a graph and with the memory that it may take up. Takes numbers, and returns an empty graph, which
// owns its columns.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::graph {

/// The size of a graph that is about to be made.
struct Extent {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t texts = 0;
  std::uint64_t text_bytes = 0;       ///< the total size of all strings
  std::uint64_t places = 0;           ///< the largest possible number of nodes with a place in source code
  std::uint64_t distinct_places = 0;  ///< the largest possible number of different places
  std::uint64_t stack_bytes = 0;      ///< the largest possible size of stacks and samples
  std::uint64_t wide_columns = 0;     ///< the columns of nodes with numbers of 2^32 or more
  std::uint64_t states = 0;           ///< the number of nodes with a state, known or not
};

/// Checks that a graph can have this size. Errors: the same as those of make_empty().
[[nodiscard]] Result<void> check_extent(const Extent& extent, const Limits& limits);

/// A graph without nodes that has room for the strings and places of `extent`. The columns of nodes and edges
/// have no room yet: a column of the model is freed before the next column of the graph is made, which can
/// then use its memory. Errors: unreadable if there is no node to be the root; limit if there are more items
/// than a graph can count, or if the graph would take up more than Limits::max_memory.
[[nodiscard]] Result<Graph> make_empty(const Extent& extent, const Limits& limits);

/// Whether a number makes each number of its column take up 8 bytes.
[[nodiscard]] constexpr bool is_wide(std::uint64_t number) { return number > UINT32_MAX; }

/// The error for a model that is not sound.
[[nodiscard]] inline std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unreadable, std::move(why)});
}

}  // namespace heapcheck::graph
