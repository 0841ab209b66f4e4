// The values that the page about heap dumps shows. Names are as in the files, shortened to `most_name_bytes`,
// except for those of the files themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::exports::page {

// These limits keep a page below 3 MB. In the worst case, each byte of a name takes six bytes.
inline constexpr std::size_t most_name_bytes = 100;
inline constexpr std::size_t most_places = 900;       ///< the most places in one tree
inline constexpr std::size_t most_live_places = 300;  ///< the most places in a tree of a timeline's calls
inline constexpr std::size_t most_rows = 150;         ///< the most rows by each measure
inline constexpr std::size_t most_series = 40;
inline constexpr std::size_t most_positions = 100;
inline constexpr std::size_t most_suspects = 10;
inline constexpr std::size_t most_new_suspects = 8;
inline constexpr std::size_t most_contents = 10;   ///< the most content types of a suspect
inline constexpr std::size_t most_steps = 16;      ///< of a path
inline constexpr std::size_t most_marks = 20;      ///< the most marked places of one suspect
inline constexpr std::size_t most_findings = 100;  ///< the most findings for all files
inline constexpr std::size_t most_files = 100;

/// One file, and the result of checking it.
struct FileRow {
  std::string name;
  Format format{};
  std::uint64_t byte_count = 0;  ///< the size of the decompressed file
  Verdict verdict{};
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t notes = 0;
  struct Line {
    std::string severity, id, message;
    std::uint64_t offset = 0;
  };
  std::vector<Line> findings;
};

/// The totals for one name.
struct TypeRow {
  std::string kind;  ///< such as `objects` or `frames`
  NodeTotals totals;
};

/// A place in a tree. Places come after the place above them.
struct Place {
  std::uint32_t depth = 0;
  std::string name;
  std::uint64_t count = 0;  ///< nodes, or allocated objects
  std::uint64_t size = 0;   ///< the size of the place itself, in bytes
  std::uint64_t held = 0;   ///< the size of the place and everything below it, in bytes
  // The total that the place itself allocated, alive or not; see Tree::has_allocated.
  std::uint64_t allocated_count = 0;
  std::uint64_t allocated_size = 0;  ///< in bytes
};

/// A tree from which small places may be left out.
struct Tree {
  std::string key;  ///< `dominators`, `stacks` or `inverted`
  std::vector<Place> places;
  bool is_cut = false;         ///< whether places are left out
  bool has_allocated = false;  ///< whether it is known how much its places allocated in total
};

/// One step of a path.
struct Step {
  std::string edge;  ///< its name, or its number in brackets; empty for the first step
  std::string name;  ///< the type of the node
  std::uint64_t id = 0;
};

struct SuspectRow {
  std::string type;
  std::uint64_t count = 0;  ///< nodes
  std::uint64_t chain = 0;  ///< the number of nodes that form a chain; 0 for other suspects
  std::uint64_t id = 0;     ///< the id of the first node
  std::optional<Step> holder;
  std::uint64_t retained = 0;
  double share = 0;
  std::string way;  ///< the variable, property or class that leads to it; may be empty
  SuspectOwner owner{};
  std::string fingerprint = {};  ///< the same in other builds and runs of the program
  std::vector<std::string> contents;
  std::vector<Step> path;
  std::uint64_t left_out = 0;  ///< the number of steps left out in the middle of the path
  /// The indices of the places in the dominator tree that contain its nodes; empty if the tree is cut above
  /// them.
  std::vector<std::uint64_t> places = {};
};

/// The memory in the last snapshot that is new since the first snapshot.
struct GrowthRow {
  GrowthBy by{};
  std::uint64_t size = 0;            ///< the size of all new memory, in bytes
  std::vector<SuspectRow> suspects;  ///< their numbers cover only new memory
  GrowthDoubt doubt{};
};

/// Nodes with sizes from `least` to 2 * `least` - 1; nodes of size 0 have their own bucket.
struct Bucket {
  std::uint64_t least = 0;
  std::uint64_t count = 0;
  std::uint64_t size = 0;
};

/// One of the snapshots that are compared.
struct Position {
  std::string file;
  std::uint64_t snapshot = 0;
  Totals total;
};

/// Everything that a page shows.
struct PageData {
  std::vector<FileRow> files;
  std::uint64_t files_left_out = 0;
  // About the snapshot that is shown.
  Position main;
  std::string process;  ///< the type and id of the process, for a trace
  std::string dump;     ///< the id of the memory dump, for a trace
  std::uint64_t edge_count = 0;
  bool is_stacks = false;  ///< whether it has allocations by call stack instead of a graph
  bool has_counts = true;  ///< whether all snapshots state the number of objects
  std::vector<NodeTotals> kinds;
  std::vector<TypeRow> types;
  NodeTotals types_left_out;
  std::vector<Tree> trees;
  double least_share = 0.2;  ///< the smallest share of a suspect
  std::vector<SuspectRow> suspects;
  std::vector<Bucket> histogram;
  // About all snapshots; empty if there is only one.
  std::optional<GrowthRow> growth;  ///< the growth, for graphs
  std::vector<Position> positions;
  std::uint64_t positions_left_out = 0;
  std::vector<Series> kind_series;
  std::vector<Series> type_series;
  std::uint64_t series_left_out = 0;  ///< the number of names that changed but were left out
};

}  // namespace heapcheck::exports::page
