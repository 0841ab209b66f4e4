// A part of a MoarVM heap dump of any version: a snapshot together with the rows that it adds to the shared
// tables or, at the end of a file, only the rows that are still missing from the tables. Readers return
// parts, and writers accept them. Owns its snapshot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/mvmheap/column_pass.hpp"
#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap {

/// Rows of the string table.
struct LostStrings {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

struct Part {
  std::uint64_t index = 0;  ///< the number of the part and of its snapshot
  bool has_snapshot = false;
  /// Whether the snapshot's graph could be read completely, with all columns of the same length.
  bool has_whole_graph = false;
  /// Whether the input ended inside the part. In version 2, where table rows have their own sections: whether
  /// the input ended inside the graph.
  bool is_cut = false;
  /// Whether everything was read that this version stores about a snapshot.
  bool has_whole_snapshot = false;
  Snapshot snapshot;
  std::optional<SnapshotMeta> meta;
  Highscores highscores;

  TableCounts before;  ///< the lengths of the shared tables before this part
  TableCounts after;   ///< the lengths after this part; counts_unknown if its rows are at the end of the file
  /// For each shared table: whether it could be read completely up to the end of this part.
  bool strings_known = true;
  bool types_known = true;
  bool frames_known = true;
  /// Whether the strings read so far have the indices that the file assigns to them, even though other
  /// strings are lost.
  bool strings_placed = false;
  /// Strings before this part that the file counts but that were lost or may have a different index.
  LostStrings lost_strings;
  /// In version 1: the strings whose ends were guessed, if this is why strings are not known.
  std::vector<std::uint64_t> guessed_strings;
  bool are_strings_counted = true;  ///< whether the file states the number of strings; false in version 1

  /// Sees the columns of the snapshot while they grow; null if nothing does. Borrowed, and kept by reset().
  ColumnPass* pass = nullptr;

  /// Empties the part for reuse but keeps the memory of its columns.
  void reset(std::uint64_t new_index);
  /// Shows the columns to `pass`. Readers call this for each piece of a column.
  void show_columns() {
    if (pass != nullptr) pass->take(snapshot);
  }
  /// Whether memory can be reserved for whole columns of references and unmanaged sizes.
  [[nodiscard]] bool holds_all_columns() const { return pass == nullptr || !pass->forgets(); }
};

/// Represents the lengths of tables that have not been read yet. spec: mvmheap/v2.md#layouts
inline constexpr TableCounts counts_unknown{UINT64_MAX, UINT64_MAX, UINT64_MAX};

/// A clause for messages about damaged files, such as `2 snapshots are complete`.
std::string count_whole_snapshots(std::uint64_t count);

/// The memory in bytes that is needed to read and check these columns: the memory for the columns themselves,
/// and additional memory for the rules.
std::uint64_t memory_needed(const Part& part, const Tables& tables);

}  // namespace heapcheck::mvmheap
