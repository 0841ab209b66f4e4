// Converts a MoarVM dump from one version to another: the first pass counts the data that the target cannot
// represent, and the second pass hands every part from a reader to a writer. Borrows everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mvmheap/version.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::mvmheap {

namespace model = heapcheck::mvmheap;

/// The facts that were collected in one pass over a whole dump.
struct Survey {
  model::Tables tables;
  model::FileMeta file_meta;
  bool has_file_meta = false;
  std::uint64_t snapshots = 0;
  std::uint64_t metas = 0;               ///< the number of snapshots with metadata
  std::uint64_t highscores = 0;          ///< the number of snapshots with highscores
  std::uint64_t without_targets = 0;     ///< the number of snapshots whose references have no targets
  std::vector<model::TableCounts> seen;  ///< for each snapshot, the rows known at that point
  /// The number of snapshots that were taken before the tables had all rows.
  [[nodiscard]] std::uint64_t count_grown() const;
};

/// Reads the dump to its end.
Survey make_survey(model::DumpReader& reader);

/// Returns the layout of a target: its writer and its capacity. The target must be a MoarVM dump.
const model::WrittenLayout& layout_of(Target target);

/// The target for a dump of `format` if no target is given: the version of the dump, in the default layout
/// or, if tables grew, in a layout that records their growth.
Target usual_target(Format format, const Survey& survey);

/// Lists everything that is lost in a target with this capacity.
std::vector<Loss> find_losses(const Survey& survey, const model::Capacity& capacity);

/// Adds metadata and highscores that are computed from the graph, if a target with this capacity can
/// represent them and `part` lacks them. Errors: limit for highscores; unwritable if the total size does not
/// fit in 64 bits.
Result<void> complete_part(model::Part& part, const model::FileMeta& file_meta,
                           const model::Capacity& capacity, const Limits& limits);

/// Writes every part from `reader`, which reads the dump that `survey` describes a second time, and finishes
/// the file. Errors: any error from the writer or from complete_part().
Result<void> convert(model::DumpReader& reader, const Survey& survey, const model::Capacity& capacity,
                     const Limits& limits, model::DumpWriter& writer);

}  // namespace heapcheck::conversion::mvmheap
