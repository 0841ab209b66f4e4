#include "formats/mvmheap/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/checked.hpp"

namespace heapcheck::mvmheap {
namespace {

constexpr auto object = static_cast<std::uint64_t>(CollectableKind::object);
constexpr auto frame = static_cast<std::uint64_t>(CollectableKind::frame);

/// Counts a collectable that is not an object with a known type.
void add_other(std::uint64_t kind, std::uint64_t index, std::uint64_t byte_count, const TableCounts& known,
               Summary& summary) {
  ++summary.kind_counts[kind <= last_collectable_kind ? kind : 0];
  if (is_root_kind(kind)) {
    summary.has_root_fields = summary.has_root_fields || index != 0 || byte_count != 0;
  } else if (is_typed_kind(kind)) {
    summary.has_bad_index = summary.has_bad_index || index >= known.types;
  } else if (kind == frame && index >= known.static_frames) {
    summary.has_bad_index = true;
  } else if (kind == frame && index < summary.frames.size()) {
    ++summary.frames[index].count;
    summary.frames[index].byte_count = core::saturating_add(summary.frames[index].byte_count, byte_count);
  }
}

/// Sums of narrow sizes cannot overflow; sums of wide sizes saturate at 2^64 - 1.
constexpr auto plain_add = [](std::uint64_t a, std::uint64_t b) { return a + b; };
constexpr auto wide_add = [](std::uint64_t a, std::uint64_t b) { return core::saturating_add(a, b); };

/// The pass itself, which goes over columns or over spans of their narrow values.
template <class Kinds, class Indices, class Sizes, class UnmanagedSizes, class Add>
void add_up(std::uint64_t count, const Kinds& kinds, const Indices& indices, const Sizes& sizes,
            const UnmanagedSizes& unmanaged_sizes, const TableCounts& known, const Add& add,
            Summary& summary) {
  std::uint64_t objects = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t byte_count = add(sizes[i], unmanaged_sizes[i]);
    const std::uint64_t index = indices[i];
    total = add(total, byte_count);
    // Nearly all collectables are objects. With this branch, there is no variable in memory to which every
    // iteration writes.
    if (kinds[i] == object && index < summary.types.size()) [[likely]] {
      ++objects;
      ++summary.types[index].count;
      summary.types[index].byte_count = add(summary.types[index].byte_count, byte_count);
    } else {
      add_other(kinds[i], index, byte_count, known, summary);
    }
  }
  summary.kind_counts[object] += objects;
  summary.byte_count = total;
}

struct Score {
  std::uint64_t id;
  std::uint64_t score;
};

/// All scores above 0 for one list, in index order.
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

Summary summarise(const Collectables& collectables, const TableCounts& known, Shares shares) {
  Summary summary;
  const bool has_shares = shares == Shares::by_row;
  if (has_shares && known.types != UINT64_MAX) summary.types.resize(known.types);
  if (has_shares && known.static_frames != UINT64_MAX) summary.frames.resize(known.static_frames);
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  const std::uint64_t count = std::min({kind.count(), index.count(), size.count(), unmanaged_size.count()});
  if (kind.is_narrow() && index.is_narrow() && size.is_narrow() && unmanaged_size.is_narrow()) {
    add_up(count, kind.narrow(), index.narrow(), size.narrow(), unmanaged_size.narrow(), known, plain_add,
           summary);
  } else {
    add_up(count, kind, index, size, unmanaged_size, known, wide_add, summary);
  }
  return summary;
}

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
