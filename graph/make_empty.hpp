// The first step in making a graph, the same for every format: compares the model's counts with the limits of
// a graph and with the memory it may take up. In: numbers. Out: an empty graph, which owns its columns.
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
  std::uint64_t text_bytes = 0;  ///< of all strings in total
  std::uint64_t places = 0;      ///< at most so many nodes have a place in source code
};

/// A graph without nodes that has room for all of `extent`. Errors: unreadable if there is no node to be the
/// root; limit if there are more items than a graph can count, or if the graph would take up more than
/// Limits::max_memory.
[[nodiscard]] Result<Graph> make_empty(const Extent& extent, const Limits& limits);

/// The error for a model that is not sound.
[[nodiscard]] inline std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unreadable, std::move(why)});
}

}  // namespace heapcheck::graph
