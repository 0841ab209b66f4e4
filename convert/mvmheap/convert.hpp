// From one version of a MoarVM dump to another: what a target cannot hold is counted first, from one
// reading of the dump, and then every part goes from a reader to a writer. Borrows everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mvmheap/version.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::conversion::mvmheap {

namespace model = heapcheck::mvmheap;

/// What one reading of a whole dump tells.
struct Survey {
  model::Tables tables;
  model::FileMeta file_meta;
  bool has_file_meta = false;
  std::uint64_t snapshots = 0;
  std::uint64_t metas = 0;               ///< snapshots with metadata
  std::uint64_t highscores = 0;          ///< snapshots with highscores
  std::vector<model::TableCounts> seen;  ///< by snapshot: the tables as they were with it
  /// Snapshots that were taken before the tables had all rows.
  [[nodiscard]] std::uint64_t count_grown() const;
};

/// Reads the dump to its end.
Survey make_survey(model::DumpReader& reader);

/// Everything that a target of this capacity loses.
std::vector<Loss> find_losses(const Survey& survey, const model::Capacity& capacity);

/// Gives `part` what a target of this capacity has and the part lacks: metadata and highscores worked
/// out from the graph. Errors: limit, for highscores; unwritable, where the total size has no room.
Result<void> complete_part(model::Part& part, const model::FileMeta& file_meta,
                           const model::Capacity& capacity, const Limits& limits);

/// Writes every part of `reader`, a second reading of the dump that `survey` is of, and finishes the
/// file. Errors: those of the writer and of complete_part().
Result<void> convert(model::DumpReader& reader, const Survey& survey, const model::Capacity& capacity,
                     const Limits& limits, model::DumpWriter& writer);

}  // namespace heapcheck::conversion::mvmheap
