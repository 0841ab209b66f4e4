// Parts of a heap to look at first, the paths that lead there, and what is new since an earlier snapshot. All
// of them are values that own their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/types/graph_column.hpp"

namespace heapcheck {

/// One step on a path from the root.
struct PathStep {
  std::uint32_t node = 0;             ///< an index into the graph
  std::optional<std::uint64_t> edge;  ///< the edge that leads to the node; none for the root
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// Who owns the memory of a part of the heap. spec: analysis.md#whose-memory
enum class SuspectOwner : std::uint8_t {
  program,  ///< the program's own code holds it, or it is not known to be the runtime's
  runtime,  ///< the runtime or its compiler holds it for its own use
};

/// The conditions that make a part of the heap worth examining.
struct SuspectOptions {
  double least_share = 0.2;  ///< the smallest share of the heap that it must retain
  /// Memory accumulates at a node if no node that it dominates retains this share of the node's retained
  /// size.
  double least_drop = 0.7;
};

/// A part of the heap that retains a lot of memory: a node, the first node of a chain, or nodes of one type.
struct Suspect {
  std::vector<std::uint32_t> nodes = {};  ///< largest first; for a chain, only the first node
  std::string type = {};                  ///< the name of their type, or a name that they all share
  std::uint64_t chain = 0;  ///< the number of nodes of this type in the chain; 0 if it is not a chain
  std::optional<std::uint32_t> holder = {};  ///< for several nodes: the node that dominates them all
  std::uint64_t retained = 0;                ///< bytes
  double share = 0;                          ///< the share of the heap or of its growth
  SuspectOwner owner{};                      ///< suspects of the runtime come after all others
  /// The variable, property or class that leads to it, with its place in the source code, such as
  /// `startPolling's variable waiting (app.js:66)`; empty if the path has none.
  std::string way = {};
  /// If the runtime's own code leads there, or if this is a promise: the first function or class of the
  /// program inside it, with its place, such as `onTick (app.js:66)`. May be empty.
  std::string leads_to = {};
  /// The types that make up most of the contents of the nodes, outermost first. Set only for several nodes.
  std::vector<std::string> contents = {};
  /// The path from the root to the only node or, for several nodes, the part that at least half of the paths
  /// to 100 of them share.
  std::vector<PathStep> path = {};
  /// A string that is the same for the same leak in all builds and runs of the program, such as
  /// `3f2a9c1b77d0`. spec: analysis.md#fingerprints
  std::string fingerprint = {};
};

/// How to decide which nodes are new since an earlier snapshot.
enum class GrowthBy : std::uint8_t {
  id,    ///< by node ids, in V8 snapshots of the same process
  type,  ///< by the number of nodes of each type, which does not identify individual nodes
};

/// Why the later of two snapshots may not show what grew since the earlier one.
enum class GrowthDoubt : std::uint8_t {
  none,
  same_heap,      ///< both contain the same nodes
  out_of_order,   ///< the later snapshot was made before the earlier one
  other_process,  ///< they have ids but do not come from the same process
};

/// The growth since an earlier snapshot.
struct Growth {
  GrowthBy by{};                  ///< how new nodes were identified
  std::uint64_t size = 0;         ///< the total size of everything new, in bytes
  std::vector<Suspect> suspects;  ///< `retained` and `share` refer to the new memory only
  GrowthDoubt doubt{};            ///< the first reason to doubt the answer
  std::uint64_t smaller = 0;      ///< the largest possible number of further suspects with at least 1 %
  GraphColumn new_sizes = {};     ///< how many bytes of each node are new
};

}  // namespace heapcheck
