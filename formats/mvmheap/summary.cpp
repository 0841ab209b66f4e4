#include "formats/mvmheap/summary.hpp"

#include <algorithm>

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

/// The pass itself, over columns or over spans of their narrow values.
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
    // Nearly all collectables are objects, so this branch avoids a variable in memory that every iteration
    // would write.
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

}  // namespace heapcheck::mvmheap
