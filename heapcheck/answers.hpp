// Answers to questions about the graph of a snapshot. Values that own their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

/// What to count: the nodes of one group by the names of their types, all nodes by their kinds, or strings by
/// their contents.
enum class TopOf : std::uint8_t { objects, types, stables, frames, kinds, strings };

/// The order of rows, largest first.
enum class TopBy : std::uint8_t { size, count, retained };

/// Nodes that have something in common, such as the name of their type.
struct NodeTotals {
  std::string name;         ///< as in the file; may be empty
  std::uint64_t count = 0;  ///< nodes
  std::uint64_t size = 0;   ///< of the nodes themselves, including unmanaged memory, in bytes
  /// The bytes that would be freed if the nodes were: the sum of their retained sizes, without those of nodes
  /// that others of them dominate.
  std::uint64_t retained = 0;
};

/// One step of a path from the root.
struct PathStep {
  std::uint32_t node = 0;             ///< an index into the graph
  std::optional<std::uint64_t> edge;  ///< the edge that leads to the node; none for the root
};

}  // namespace heapcheck
