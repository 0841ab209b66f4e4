#include "formats/mvmheap/derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/checked.hpp"

namespace heapcheck::mvmheap {
namespace {

struct Score {
  std::uint64_t id;
  std::uint64_t score;
};

/// All scores above 0 for one list, in order of index.
std::vector<Score> collect_scores(HighscoreList list, const Summary& summary) {
  const bool is_of_types = list == HighscoreList::types_by_count || list == HighscoreList::types_by_size;
  const bool is_by_count = list == HighscoreList::types_by_count || list == HighscoreList::frames_by_count;
  const auto& shares = is_of_types ? summary.types : summary.frames;
  std::vector<Score> scores;
  for (std::uint64_t id = 0; id < shares.size(); ++id) {
    const std::uint64_t score = is_by_count ? shares[id].count : shares[id].byte_count;
    if (score != 0) scores.push_back({id, score});
  }
  return scores;
}

void append_list(std::vector<Score> scores, std::uint64_t places, Highscores& highscores) {
  const auto kept = std::min<std::uint64_t>(places, scores.size());
  std::ranges::partial_sort(
      scores, scores.begin() + static_cast<std::ptrdiff_t>(kept),
      [](const Score& a, const Score& b) { return a.score != b.score ? a.score > b.score : a.id < b.id; });
  for (std::uint64_t place = 0; place < places; ++place) {
    highscores.ids.push_back(place < kept ? scores[place].id : 0);
    highscores.scores.push_back(place < kept ? scores[place].score : 0);
  }
}

}  // namespace

SnapshotMeta make_snapshot_meta(const Snapshot& snapshot, const Summary& summary) {
  SnapshotMeta meta;
  meta.total_heap_size = summary.byte_count;
  meta.total_objects = summary.count_of(CollectableKind::object);
  meta.total_typeobjects = summary.count_of(CollectableKind::type_object);
  meta.total_stables = summary.count_of(CollectableKind::stable);
  meta.total_frames = summary.count_of(CollectableKind::frame);
  meta.total_refs = snapshot.references.count();
  return meta;
}

std::uint64_t count_stack_frames(const Collectables& collectables, const Summary& summary) {
  if (summary.count_of(CollectableKind::call_stack_roots) == 0) return 0;
  constexpr auto kind = static_cast<std::uint16_t>(CollectableKind::call_stack_roots);
  std::uint64_t total = 0;
  const auto kinds = collectables.kind.narrow();
  for (auto at = std::ranges::find(kinds, kind); at != kinds.end();
       at = std::find(at + 1, kinds.end(), kind)) {
    total += collectables.num_refs[static_cast<std::uint64_t>(at - kinds.begin())];
  }
  return total;
}

Result<Highscores> make_highscores(const Summary& summary, const FileMeta& meta, const Limits& limits) {
  constexpr std::uint64_t row_bytes = 2 * sizeof(std::uint32_t);
  const auto rows = core::checked_multiply<std::uint64_t>(meta.entry_count, meta.data_order.size());
  if (!rows || *rows > limits.max_memory / row_bytes) {
    return std::unexpected(
        Error{ErrorKind::limit,
              fmt::format("highscores with {} entries need more memory than the limit of {} bytes",
                          meta.entry_count, limits.max_memory)});
  }
  Highscores highscores;
  for (const HighscoreList list : meta.data_order) {
    append_list(collect_scores(list, summary), meta.entry_count, highscores);
  }
  return highscores;
}

}  // namespace heapcheck::mvmheap
