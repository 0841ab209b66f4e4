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
  /// that others of them dominate. Of allocations by call stack, the cumulative size: of all stacks that the
  /// frame is part of.
  std::uint64_t retained = 0;
};

/// What nodes take up in one snapshot.
struct Totals {
  std::uint64_t count = 0;     ///< nodes
  std::uint64_t size = 0;      ///< of the nodes themselves, in bytes
  std::uint64_t retained = 0;  ///< as in NodeTotals, in bytes

  friend constexpr bool operator==(const Totals&, const Totals&) = default;
};

/// What nodes of the same name take up in several snapshots.
struct Series {
  std::string name;            ///< as in NodeTotals
  std::vector<Totals> totals;  ///< one per snapshot; all 0 where there are no such nodes
};

/// How a series ends compared with its start.
enum class Trend : std::uint8_t {
  same,    ///< as it began, although it may differ in between
  added,   ///< there were no such nodes in the first snapshot
  gone,    ///< there are none in the last
  grown,   ///< larger
  shrunk,  ///< smaller
  rising,  ///< larger in each of three or more snapshots than in the one before
};

/// How to compare two values.
enum class Comparison : std::uint8_t { equal, not_equal, contains, less, greater, at_most, at_least };

/// A condition about a series, such as `type="Foo": count > +1000`.
struct Threshold {
  /// What the number is: a value in the last snapshot, or a change from the first to the last.
  enum class Measure : std::uint8_t { value, change, percentage };

  Comparison name_comparison = Comparison::equal;  ///< `equal` or `contains`
  std::optional<std::string> name;                 ///< none for the heap as a whole
  TopBy field{};                                   ///< what to compare
  Comparison comparison{};                         ///< an order
  Measure measure{};                               ///< what `number` is
  double number = 0;                               ///< nodes, bytes or percent
};

/// One step of a path from the root.
struct PathStep {
  std::uint32_t node = 0;             ///< an index into the graph
  std::optional<std::uint64_t> edge;  ///< the edge that leads to the node; none for the root
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// Strings with the same contents and the same size, of which one would be enough.
struct DuplicateStrings {
  std::string text;          ///< the contents
  std::uint64_t count = 0;   ///< strings
  std::uint64_t size = 0;    ///< of all of them, in bytes
  std::uint64_t wasted = 0;  ///< the size of all but one, in bytes
};

/// A place in the dominator tree: one node, or nodes of one type whose dominators are at the same place.
struct DominatorRow {
  std::uint32_t depth = 0;     ///< the number of places above it
  std::uint32_t node = 0;      ///< the first of the nodes
  std::string name = {};       ///< of the node, or of the type
  std::uint64_t count = 0;     ///< nodes
  std::uint64_t size = 0;      ///< of the nodes themselves, in bytes
  std::uint64_t retained = 0;  ///< bytes
};

/// A place in the tree of the shortest paths to several nodes: nodes of one type, which edges of the same
/// name lead to from the place above.
struct MergedPathRow {
  std::uint32_t depth = 0;               ///< the number of places above it
  std::uint32_t node = 0;                ///< the first of the nodes
  std::optional<std::string> edge = {};  ///< the name of these edges, or `[]` for numbers; none for the root
  std::string name = {};                 ///< of the type; of roots, their own
  std::uint64_t count = 0;               ///< nodes at this place
  std::uint64_t ends = 0;                ///< paths that end there or below
};

/// When a part of the heap is worth a look.
struct SuspectOptions {
  double least_share = 0.2;  ///< the share of the heap that it retains
  /// A node is the place where memory accumulates if no node that it dominates retains this share of what it
  /// retains itself.
  double least_drop = 0.7;
};

/// A part of the heap that retains much: a node, the first node of a chain, or nodes of one type.
struct Suspect {
  std::vector<std::uint32_t> nodes = {};  ///< with the largest first; of a chain, only the first node
  std::string type = {};                  ///< the name of their type, or the name that all of them have
  std::uint64_t chain = 0;                ///< how many nodes of the type form the chain; 0 for other suspects
  std::optional<std::uint32_t> holder = {};  ///< the node that dominates all of several nodes, if one does
  std::uint64_t retained = 0;                ///< bytes
  double share = 0;                          ///< of the heap, or of its growth
  /// The types of what the nodes hold most of, from the outside in; only for several nodes.
  std::vector<std::string> contents = {};
  /// From the root to the only node or to the holder; without a holder, what sampled paths have in common.
  std::vector<PathStep> path = {};
};

/// How it is decided which nodes are new since an earlier snapshot.
enum class GrowthBy : std::uint8_t {
  id,    ///< by the ids of nodes, in snapshots of one process by V8
  type,  ///< by the number of nodes of a type, which does not tell which of them are the same ones
};

/// What is new since an earlier snapshot.
struct Growth {
  GrowthBy by{};                  ///< how that was decided
  std::uint64_t size = 0;         ///< of all that is new, in bytes
  std::vector<Suspect> suspects;  ///< `retained` and `share` are only about what is new
};

}  // namespace heapcheck
