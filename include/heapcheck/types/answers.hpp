// The answers to questions about the graph of a snapshot. All of them are values that own their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/place.hpp"
#include "heapcheck/types/suspects.hpp"

namespace heapcheck {

/// What to count: the nodes of one group by the names of their types, all nodes by kind, strings by contents,
/// or closures by function. Types and functions with the same name are counted together only if their places
/// are equal, too.
enum class TopOf : std::uint8_t { objects, types, stables, frames, kinds, strings, closures };

/// The order of rows, largest first.
enum class TopBy : std::uint8_t { size, count, retained };

/// Nodes that have something in common, such as the name of their type.
struct NodeTotals {
  std::string name;         ///< as in the file; may be empty
  std::uint64_t count = 0;  ///< nodes; 0 for a profile without counts (has_counts())
  std::uint64_t size = 0;   ///< size of the nodes themselves, including unmanaged memory, in bytes
  /// The bytes that would be freed along with the nodes: their retained sizes, not counting nodes that others
  /// in the group dominate. For call stacks, the cumulative size: that of all stacks that contain the frame.
  std::uint64_t retained = 0;
  Place place = {};                   ///< where the function, frame or class starts
  std::uint64_t allocated_count = 0;  ///< for functions in timelines: all objects that they ever allocated
  std::uint64_t allocated_size = 0;   ///< the size of these objects in bytes
};

/// The totals for a group of nodes in one snapshot.
struct Totals {
  std::uint64_t count = 0;     ///< as in NodeTotals
  std::uint64_t size = 0;      ///< the size of the nodes themselves, in bytes
  std::uint64_t retained = 0;  ///< as in NodeTotals, in bytes

  friend constexpr bool operator==(const Totals&, const Totals&) = default;
};

/// The totals for nodes with the same name and place in several snapshots.
struct Series {
  std::string name;            ///< as in NodeTotals
  std::vector<Totals> totals;  ///< one per snapshot; all 0 if a snapshot has no such nodes
  Place place = {};            ///< as in NodeTotals
};

/// How the end of a series compares with its start.
enum class Trend : std::uint8_t {
  same,    ///< the same at the end as at the start, even if it differs in between
  added,   ///< there were no such nodes in the first snapshot
  gone,    ///< there are no such nodes in the last snapshot
  grown,   ///< larger
  shrunk,  ///< smaller
  rising,  ///< larger in each of three or more snapshots than in the one before
};

/// How to compare two values.
enum class Comparison : std::uint8_t { equal, not_equal, contains, less, greater, at_most, at_least };

/// A condition on a series, such as `type="Foo": count > +1000`.
struct Threshold {
  /// What the number means: a value in the last snapshot, or a change from the first snapshot to the last.
  enum class Measure : std::uint8_t { value, change, percentage };

  Comparison name_comparison = Comparison::equal;  ///< `equal` or `contains`
  std::optional<std::string> name;                 ///< none for the heap as a whole
  TopBy field{};                                   ///< the number to compare
  Comparison comparison{};                         ///< an ordering
  Measure measure{};                               ///< the meaning of `number`
  double number = 0;                               ///< in nodes, bytes or percent
};

/// Strings with the same contents, of which only one is needed.
struct DuplicateStrings {
  std::string text;          ///< the contents
  std::uint64_t count = 0;   ///< strings
  std::uint64_t size = 0;    ///< the size of all of them, in bytes
  std::uint64_t wasted = 0;  ///< the size of all copies but one of average size, in bytes
};

/// A place in the dominator tree: one node, or several nodes of one type whose dominators share a place.
struct DominatorRow {
  std::uint32_t depth = 0;     ///< the number of places above it
  std::uint32_t node = 0;      ///< the first of the nodes
  std::string name = {};       ///< the name of the node or type
  std::uint64_t count = 0;     ///< nodes
  std::uint64_t size = 0;      ///< the size of the nodes themselves, in bytes
  std::uint64_t retained = 0;  ///< bytes
};

/// A place in the tree of shortest paths to several nodes: nodes of one type that are reached from the place
/// above through edges with the same name.
struct MergedPathRow {
  std::uint32_t depth = 0;               ///< the number of places above it
  std::uint32_t node = 0;                ///< the first of the nodes
  std::optional<std::string> edge = {};  ///< the name of these edges, or `[]` for numbered edges; none for
                                         ///< the root
  std::string name = {};                 ///< the name of the type; for roots, their own name
  std::uint64_t count = 0;               ///< nodes at this place
  std::uint64_t ends = 0;                ///< the number of paths that end at or below this place
};

}  // namespace heapcheck
