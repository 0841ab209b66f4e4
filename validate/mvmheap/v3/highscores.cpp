#include "validate/mvmheap/v3/meta_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace heapcheck::validation::mvmheap::v3 {
namespace {

using model::HighscoreList;

bool is_of_types(HighscoreList list) {
  return list == HighscoreList::types_by_count || list == HighscoreList::types_by_size;
}
bool is_by_count(HighscoreList list) {
  return list == HighscoreList::types_by_count || list == HighscoreList::frames_by_count;
}

/// The scores by which one list ranks types or static frames, by index.
std::vector<std::uint64_t> scores_for(HighscoreList list, const model::Summary& summary) {
  const auto& shares = is_of_types(list) ? summary.types : summary.frames;
  std::vector<std::uint64_t> scores(shares.size());
  std::ranges::transform(shares, scores.begin(), [list](const model::Share& share) {
    return is_by_count(list) ? share.count : share.byte_count;
  });
  return scores;
}

/// The scores expected in a list with `places` entries, highest first. There are fewer if not enough scores
/// are above 0.
std::vector<std::uint64_t> best_scores(std::vector<std::uint64_t> scores, std::uint64_t places) {
  std::erase(scores, 0);
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(places, scores.size()));
  std::ranges::partial_sort(scores, scores.begin() + kept, std::greater<>());
  scores.resize(static_cast<std::size_t>(kept));
  return scores;
}

/// Compares one list in the file with the scores computed from the columns.
class ListCheck {
 public:
  ListCheck(const model::Highscores& highscores, const model::Summary& summary, HighscoreList list,
            std::uint64_t first_row, std::uint64_t places)
      : highscores_(highscores),
        list_(list),
        first_row_(first_row),
        places_(places),
        scores_(scores_for(list, summary)),
        best_(best_scores(scores_, places)) {}

  [[nodiscard]] std::optional<HighscoreMismatch> find_mismatch() const {
    std::vector<bool> seen(scores_.size());
    for (std::uint64_t place = 0; place < best_.size(); ++place) {
      if (auto found = find_wrong_score(place)) return found;
      const std::uint64_t id = id_at(place);
      if (seen[id])
        return mismatch(place, true, fmt::format("id {} is in the list twice, expected once", id));
      seen[id] = true;
    }
    return std::nullopt;
  }

  /// The row of the first entry after the best scores whose score is not 0, if there is one.
  [[nodiscard]] std::optional<std::uint64_t> find_filler() const {
    for (std::uint64_t place = best_.size(); place < places_; ++place) {
      if (score_at(place) != 0) return first_row_ + place;
    }
    return std::nullopt;
  }

 private:
  /// Compares the id and score of one entry with the columns.
  [[nodiscard]] std::optional<HighscoreMismatch> find_wrong_score(std::uint64_t place) const {
    const std::uint64_t id = id_at(place);
    const std::uint64_t score = score_at(place);
    const std::uint64_t best = best_[place];
    if (id >= scores_.size()) {
      return mismatch(place, true,
                      fmt::format("id is {}, expected less than {}, the number of rows in the table", id,
                                  scores_.size()));
    }
    // The score belongs in this place, so it must be the id that was changed.
    if (scores_[id] != score && score == best) {
      return mismatch(place, true,
                      fmt::format("id is {}, whose score in the columns is {}, expected an id with score {}",
                                  id, scores_[id], score));
    }
    if (scores_[id] != score) {
      return mismatch(place, false,
                      fmt::format("score of id {} is {}, expected {}, computed from the columns", id, score,
                                  scores_[id]));
    }
    if (score == best) return std::nullopt;
    return mismatch(
        place, true,
        fmt::format("score of this entry is {}, expected {}, computed from the columns", score, best));
  }
  [[nodiscard]] std::uint64_t id_at(std::uint64_t place) const { return highscores_.ids[first_row_ + place]; }
  [[nodiscard]] std::uint64_t score_at(std::uint64_t place) const {
    return highscores_.scores[first_row_ + place];
  }
  [[nodiscard]] HighscoreMismatch mismatch(std::uint64_t place, bool is_id, std::string message) const {
    return {list_, first_row_ + place, place, is_id, std::move(message)};
  }

  const model::Highscores& highscores_;
  HighscoreList list_;
  std::uint64_t first_row_;
  std::uint64_t places_;
  std::vector<std::uint64_t> scores_;
  std::vector<std::uint64_t> best_;
};

}  // namespace

HighscoreComparison compare_highscores(const model::Highscores& highscores, const model::Summary& summary,
                                       std::span<const HighscoreList> order, std::uint64_t places) {
  HighscoreComparison comparison;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ListCheck check(highscores, summary, order[i], i * places, places);
    if (auto mismatch = check.find_mismatch()) {
      comparison.mismatches.push_back(std::move(*mismatch));
    } else if (!comparison.filler_row) {
      comparison.filler_row = check.find_filler();
    }
  }
  return comparison;
}

}  // namespace heapcheck::validation::mvmheap::v3
