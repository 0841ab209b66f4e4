// Rules over what a version 3 file says about its snapshots besides their graphs: totals, times
// and highscores, each recomputed from the columns.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

inline constexpr Rule snapmeta_totals{
    .id = "mvm3.snapmeta.totals",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the totals of a snapmeta are those of the columns",
    .reason = "Readers show the totals without reading the columns.",
    .anchor = "mvmheap/v3.md#snapmeta",
    .since = "0.1",
};
inline constexpr Rule snapmeta_uncounted_frames{
    .id = "mvm3.snapmeta.uncounted-frames",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "total_frames counts every frame",
    .reason = "MoarVM does not count frames that are still on the call stack.",
    .anchor = "mvmheap/v3.md#quirks",
    .since = "0.1",
};
inline constexpr Rule snapmeta_time_order{
    .id = "mvm3.snapmeta.time-order",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "times do not decrease from the start of the run on",
    .reason = "The clock is monotonic, so a time is wrong and durations taken from it are too.",
    .anchor = "mvmheap/v3.md#snapmeta",
    .since = "0.1",
};
inline constexpr Rule snapmeta_gc_order{
    .id = "mvm3.snapmeta.gc-order",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "numbers of garbage collections do not decrease",
    .reason = "Readers tell snapshots apart by the collection they were taken in.",
    .anchor = "mvmheap/v3.md#snapmeta",
    .since = "0.1",
};
inline constexpr Rule highscores_length{
    .id = "mvm3.highscores.length",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "topIDs and topscore have entry_count places for each of four lists",
    .reason = "A reader cuts the columns into lists at wrong places.",
    .anchor = "mvmheap/v3.md#highscores",
    .since = "0.1",
};
inline constexpr Rule highscores_mismatch{
    .id = "mvm3.highscores.mismatch",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "highscores are those of the columns",
    .reason = "Readers show the highscores without reading the columns.",
    .anchor = "mvmheap/v3.md#highscores",
    .since = "0.1",
};
inline constexpr Rule highscores_filler{
    .id = "mvm3.highscores.filler",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "places of a highscore list beyond the last type or frame are 0",
    .reason = "MoarVM leaves there what was in memory; readers should pass it over.",
    .anchor = "mvmheap/v3.md#quirks",
    .since = "0.1",
};

inline constexpr std::array meta_rules{
    &snapmeta_totals,   &snapmeta_uncounted_frames, &snapmeta_time_order, &snapmeta_gc_order,
    &highscores_length, &highscores_mismatch,       &highscores_filler,
};

}  // namespace heapcheck::validation::mvmheap::v3::rules

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// What a check of one snapshot looks at. Borrows everything.
struct PartView {
  const format::BlockContainer& container;
  const format::BlockPart& part;
  const model::Summary& summary;
  const model::FileMeta* file_meta;  ///< null where it could not be read
  const format::FileMetaPlaces& file_places;
};

/// Totals, then highscores: what one damaged value makes wrong in both is one finding.
class MetaRules {
 public:
  /// Needs a part whose columns hold. Reports the totals, uncounted-frames and highscores rules.
  void check_snapshot(const PartView& view, core::FindingSink& sink);
  /// Remembers times; reports nothing.
  void add_times(const format::BlockPart& part);
  /// mvm3.snapmeta.time-order and gc-order, over the whole file.
  void check_times(const model::FileMeta* file_meta, const format::FileMetaPlaces& places,
                   core::FindingSink& sink) const;

 private:
  struct Moment {
    std::uint64_t value;
    Span place;
    std::string path;
  };

  static void check_order(const std::vector<Moment>& moments, const Rule& rule, core::FindingSink& sink);

  std::vector<Moment> times_;
  std::vector<Moment> collections_;
  bool length_reported_ = false;
  bool order_reported_ = false;
};

}  // namespace heapcheck::validation::mvmheap::v3
