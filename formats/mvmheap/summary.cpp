#include "formats/mvmheap/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/core/checked.hpp"

namespace heapcheck::mvmheap {
namespace {

constexpr auto object = static_cast<std::uint64_t>(CollectableKind::object);
constexpr auto frame = static_cast<std::uint64_t>(CollectableKind::frame);

/// Counts a collectable that is not an object with a known type.
void add_other(std::uint64_t kind, std::uint64_t index, std::uint64_t byte_count, Summary& summary) {
  ++summary.kind_counts[kind <= last_collectable_kind ? kind : 0];
  const auto needed = core::saturating_add<std::uint64_t>(index, 1);
  if (is_root_kind(kind)) {
    summary.has_root_fields = summary.has_root_fields || index != 0 || byte_count != 0;
  } else if (is_typed_kind(kind)) {
    summary.needed.types = std::max(summary.needed.types, needed);
  } else if (kind == frame && index < summary.frames.size()) {
    ++summary.frames[index].count;
    summary.frames[index].byte_count = core::saturating_add(summary.frames[index].byte_count, byte_count);
  } else if (kind == frame) {
    summary.needed.static_frames = std::max(summary.needed.static_frames, needed);
  }
}

/// Sums of narrow sizes cannot overflow; sums of wide sizes saturate at 2^64 - 1.
constexpr auto plain_add = [](std::uint64_t a, std::uint64_t b) { return a + b; };
constexpr auto wide_add = [](std::uint64_t a, std::uint64_t b) { return core::saturating_add(a, b); };

/// The pass itself, which goes over columns or over spans of their narrow values.
template <class Kinds, class Indices, class Sizes, class UnmanagedSizes, class Add>
void add_up(std::uint64_t count, const Kinds& kinds, const Indices& indices, const Sizes& sizes,
            const UnmanagedSizes& unmanaged_sizes, const Add& add, Summary& summary) {
  std::uint64_t objects = 0;
  std::uint64_t total = summary.byte_count;
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
      add_other(kinds[i], index, byte_count, summary);
    }
  }
  summary.kind_counts[object] += objects;
  summary.byte_count = total;
}

/// The number of rows with a value in every column that a summary needs.
std::uint64_t count_rows(const Collectables& collectables) {
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  return std::min({kind.count(), index.count(), size.count(), unmanaged_size.count()});
}

bool is_narrow(const Collectables& collectables) {
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  return kind.is_narrow() && index.is_narrow() && size.is_narrow() && unmanaged_size.is_narrow();
}

/// Adds the rows from `first` up to `last` of narrow columns.
void add_narrow(const Collectables& collectables, std::uint64_t first, std::uint64_t last, Summary& summary) {
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  add_up(last - first, kind.narrow_from(first), index.narrow_from(first), size.narrow_from(first),
         unmanaged_size.narrow_from(first), plain_add, summary);
}

/// Limits the shares to the rows of the tables, and finds out whether there are indices after them.
Summary limit_to(const TableCounts& known, Shares shares, Summary summary) {
  const auto limit = [shares](std::vector<Share>& rows, std::uint64_t count, std::uint64_t needed) {
    const auto is_used = [](const Share& share) { return share.count != 0; };
    const auto kept = std::min<std::uint64_t>(count, rows.size());
    const bool has_more =
        needed > count || std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(), is_used);
    rows.resize(shares == Shares::by_row && count != UINT64_MAX ? static_cast<std::size_t>(count) : 0);
    return has_more;
  };
  const bool has_bad_type = limit(summary.types, known.types, summary.needed.types);
  const bool has_bad_frame = limit(summary.frames, known.static_frames, summary.needed.static_frames);
  summary.has_bad_index = has_bad_type || has_bad_frame;
  return summary;
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

bool SummaryBuilder::add(const Collectables& collectables, std::uint64_t least) {
  // Shares are limited, because the tables may not exist.
  constexpr std::uint64_t least_most = 1U << 16;
  constexpr std::uint64_t rows_per_share = 8;
  const std::uint64_t rows = count_rows(collectables);
  if (rows < count_ || !is_narrow(collectables)) return false;
  if (rows - count_ < least) return true;
  if (shares_ == Shares::by_row) {
    const std::uint64_t needed = std::uint64_t{collectables.type_or_frame_index.narrow_bound()} + 1;
    const bool is_too_large = needed > std::max(least_most, collectables.kind.count() / rows_per_share);
    if (is_too_large) return least > 1;  // before the end, there may be more rows later
    if (needed > summary_.types.size()) summary_.types.resize(static_cast<std::size_t>(needed));
    if (needed > summary_.frames.size()) summary_.frames.resize(static_cast<std::size_t>(needed));
  }
  add_narrow(collectables, count_, rows, summary_);
  count_ = rows;
  return true;
}

Summary SummaryBuilder::finish(const TableCounts& known) && {
  return limit_to(known, shares_, std::move(summary_));
}

Summary summarise(const Collectables& collectables, const TableCounts& known, Shares shares) {
  Summary summary;
  const bool has_shares = shares == Shares::by_row;
  if (has_shares && known.types != UINT64_MAX) summary.types.resize(known.types);
  if (has_shares && known.static_frames != UINT64_MAX) summary.frames.resize(known.static_frames);
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  const std::uint64_t count = count_rows(collectables);
  if (is_narrow(collectables)) {
    add_narrow(collectables, 0, count, summary);
  } else {
    add_up(count, kind, index, size, unmanaged_size, wide_add, summary);
  }
  return limit_to(known, shares, std::move(summary));
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
