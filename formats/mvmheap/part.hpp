// A part of a MoarVM heap dump, whatever its version: a snapshot with what it adds to the shared
// tables, or, at the end of a run, only what the tables still lack. Readers hand parts out, writers
// take them. Owns its snapshot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap {

struct Part {
  std::uint64_t index = 0;  ///< of the part, and of its snapshot
  bool has_snapshot = false;
  /// Whether the snapshot's graph could be read whole: every column, and all equally long.
  bool has_whole_graph = false;
  /// Whether the input ended before all that belongs to the part; where rows of a table stand in sections of
  /// their own, as in version 2, before all of its graph.
  bool is_cut = false;
  /// Whether all was read that the version writes of a snapshot.
  bool has_whole_snapshot = false;
  Snapshot snapshot;
  std::optional<SnapshotMeta> meta;
  Highscores highscores;

  TableCounts before;  ///< the shared tables before this part
  TableCounts after;   ///< and with what this part adds; counts_unknown where they stand behind it
  /// Whether the shared tables could be read whole up to and with this part.
  bool strings_known = true;
  bool types_known = true;
  bool frames_known = true;

  /// Empties the part for the next one and keeps the memory of its columns.
  void reset(std::uint64_t new_index);
};

/// How long tables are of which nothing is known yet. spec: mvmheap/v2.md#layouts
inline constexpr TableCounts counts_unknown{UINT64_MAX, UINT64_MAX, UINT64_MAX};

/// What is left of a damaged file, for messages: `2 snapshots are complete`.
std::string count_whole_snapshots(std::uint64_t count);

/// Memory that reading and checking need for these columns, in bytes: their own, and what rules add.
std::uint64_t memory_needed(const Part& part, const Tables& tables);

}  // namespace heapcheck::mvmheap
