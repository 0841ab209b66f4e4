// From one version of a MoarVM dump to another: what a target cannot hold is counted first, from one
// reading of the dump, and then every part goes from a reader to a writer. Borrows everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/limits.hpp"
#include "formats/core/loss.hpp"
#include "formats/core/result.hpp"
#include "formats/mvmheap/dump.hpp"

namespace heapcheck::mvmheap {

/// What files of one version and layout can hold beside tables and graphs.
struct Capacity {
  bool holds_metas = false;         ///< file and snapshot metadata, highscores
  bool holds_table_growth = false;  ///< how long the tables were at each snapshot
  bool holds_closing_rows = false;  ///< rows that no snapshot knew
  /// Whether a name comes back as it was; null where every name does.
  bool (*holds_name)(std::string_view) = nullptr;
};

/// What one reading of a whole dump tells.
struct Survey {
  Tables tables;
  FileMeta file_meta;
  bool has_file_meta = false;
  std::uint64_t snapshots = 0;
  std::uint64_t metas = 0;        ///< snapshots with metadata
  std::uint64_t highscores = 0;   ///< snapshots with highscores
  std::vector<TableCounts> seen;  ///< by snapshot: the tables as they were with it
  /// Snapshots that were taken before the tables had all rows.
  [[nodiscard]] std::uint64_t count_grown() const;
};

/// Reads the dump to its end.
Survey make_survey(DumpReader& reader);

/// Everything that a target of this capacity loses.
std::vector<core::Loss> find_losses(const Survey& survey, const Capacity& capacity);

/// Gives `part` what a target of this capacity has and the part lacks: metadata and highscores worked
/// out from the graph. Errors: limit, for highscores; unwritable, where the total size has no room.
core::Result<void> complete_part(Part& part, const FileMeta& file_meta, const Capacity& capacity,
                                 const core::Limits& limits);

/// Writes every part of `reader`, a second reading of the dump that `survey` is of, and finishes the
/// file. Errors: those of the writer and of complete_part().
core::Result<void> convert(DumpReader& reader, const Survey& survey, const Capacity& capacity,
                           const core::Limits& limits, DumpWriter& writer);

}  // namespace heapcheck::mvmheap
