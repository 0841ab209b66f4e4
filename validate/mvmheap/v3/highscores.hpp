// Compares the highscore lists of a snapshot with those computed from its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// The first entry of a list that differs from the columns.
struct HighscoreMismatch {
  model::HighscoreList list;
  std::uint64_t row;    ///< in topIDs and topscore
  std::uint64_t place;  ///< in the list
  bool is_id;           ///< whether the id is wrong rather than the score
  std::string message;
};

struct HighscoreComparison {
  std::vector<HighscoreMismatch> mismatches;  ///< at most one per list
  std::optional<std::uint64_t> filler_row;    ///< the first unused entry whose score is not 0
};

/// Compares the lists, which come in `order` and have `places` entries each.
HighscoreComparison compare_highscores(const model::Highscores& highscores, const model::Summary& summary,
                                       std::span<const model::HighscoreList> order, std::uint64_t places);

}  // namespace heapcheck::validation::mvmheap::v3
