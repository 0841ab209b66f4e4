// What making a graph of any format's model begins with: its counts against what a graph can hold and what
// memory it may take. Only numbers go in; the graph that comes out owns its columns.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "heapcheck/graph.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::graph {

/// How large a graph will be.
struct Extent {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t texts = 0;
  std::uint64_t text_bytes = 0;  ///< of all texts together
};

/// A graph without nodes that has room for all of `extent`. Errors: unreadable, where there is no node to be
/// the root; limit, where it has more than a graph can count, or takes more than Limits::max_memory.
[[nodiscard]] Result<Graph> make_empty(const Extent& extent, const Limits& limits);

/// The error of a model that is not sound.
[[nodiscard]] inline std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unreadable, std::move(why)});
}

}  // namespace heapcheck::graph
