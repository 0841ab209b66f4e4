// How the graph of every format begins: the model's counts are compared with what a graph can hold and with
// the memory it may take. Only numbers go in; the resulting graph owns its columns.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "heapcheck/graph.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::graph {

/// How large a graph is going to be.
struct Extent {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t texts = 0;
  std::uint64_t text_bytes = 0;  ///< of all texts in total
};

/// A graph without nodes that has room for all of `extent`. Errors: unreadable if there is no node to be the
/// root; limit if there is more than a graph can count, or if it would take more than Limits::max_memory.
[[nodiscard]] Result<Graph> make_empty(const Extent& extent, const Limits& limits);

/// The error for a model that is not sound.
[[nodiscard]] inline std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unreadable, std::move(why)});
}

}  // namespace heapcheck::graph
