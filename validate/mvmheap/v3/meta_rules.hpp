// Rules for the metadata of the snapshots in a version 3 file: for their times, and for their totals and
// highscores, which are compared with the columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/v3/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

// Compares the highscore lists of a snapshot with those computed from its columns.

/// The first entry of a list that differs from the columns.
struct HighscoreMismatch {
  model::HighscoreList list;
  std::uint64_t row;    ///< the row in topIDs and topscore
  std::uint64_t place;  ///< the place in the list
  bool is_id;           ///< whether the id is wrong rather than the score
  std::string message;
};

struct HighscoreComparison {
  std::vector<HighscoreMismatch> mismatches;  ///< at most one per list
  std::optional<std::uint64_t> filler_row;    ///< the first unused entry whose score is not 0
};

/// Compares the lists, which are in the given order and have `places` entries each.
HighscoreComparison compare_highscores(const model::Highscores& highscores, const model::Summary& summary,
                                       std::span<const model::HighscoreList> order, std::uint64_t places);

/// The input for a check of one snapshot. Borrows everything.
struct PartView {
  const format::BlockContainer& container;
  const format::BlockPart& part;
  const model::Summary& summary;
  const model::FileMeta* file_meta;  ///< null if it could not be read
  const format::FileMetaPlaces& file_places;
};

/// Checks totals, then highscores: if one damaged value makes both wrong, reports one finding.
class MetaRules {
 public:
  /// Reports the rules on totals and highscores that depend only on sound columns, and
  /// mvm3.snapmeta.uncounted-frames.
  void check_snapshot(const PartView& view, const SoundColumns& sound, core::FindingSink& sink);
  /// Remembers times; reports nothing.
  void add_times(const format::BlockPart& part);
  /// mvm3.snapmeta.time-order and gc-order, for the whole file.
  void check_times(const model::FileMeta* file_meta, const format::FileMetaPlaces& places,
                   core::FindingSink& sink) const;

 private:
  struct Moment {
    std::uint64_t value;
    Span place;
    std::string path;
  };

  /// Compares the highscores with the columns. Reports only a wrong length or order of the lists.
  HighscoreComparison check_lists(const PartView& view, core::FindingSink& sink);
  static void check_order(const std::vector<Moment>& moments, const Rule& rule, core::FindingSink& sink);

  std::vector<Moment> times_;
  std::vector<Moment> collections_;
  bool length_reported_ = false;
  bool order_reported_ = false;
};

}  // namespace heapcheck::validation::mvmheap::v3
