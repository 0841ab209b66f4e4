#include "formats/mvmheap/summary.hpp"

namespace heapcheck::mvmheap {
namespace {

constexpr auto object = static_cast<std::uint8_t>(CollectableKind::object);

/// How many indices a collectable of each kind may have: those of a table, or just 0.
std::array<std::uint64_t, 256> index_limits(const TableCounts& known) {
  std::array<std::uint64_t, 256> limits{};
  limits.fill(UINT64_MAX);
  for (std::uint64_t kind = 1; kind <= last_collectable_kind; ++kind) {
    limits[kind] = is_typed_kind(kind) ? known.types : 1;
  }
  limits[static_cast<std::size_t>(CollectableKind::frame)] = known.static_frames;
  return limits;
}

/// The pass itself; `size_at` gives size + unmanaged_size of a collectable.
template <class SizeAt>
void add_up(const Collectables& collectables, const TableCounts& known, SizeAt&& size_at, Summary& summary) {
  const auto limits = index_limits(known);
  const auto kinds = collectables.kind.narrow();
  const auto indices = collectables.type_or_frame_index.narrow();
  std::uint64_t objects = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::uint8_t kind = kinds[i];
    const std::uint32_t index = indices[i];
    const std::uint64_t byte_count = size_at(i);
    total += byte_count;
    // Nearly all collectables are objects: their way has no memory that every turn writes.
    if (kind == object && index < known.types) [[likely]] {
      ++objects;
      ++summary.types[index].count;
      summary.types[index].byte_count += byte_count;
      continue;
    }
    ++summary.kind_counts[kind];
    if (index >= limits[kind]) {
      summary.has_bad_index = summary.has_bad_index || !is_root_kind(kind);
      summary.has_root_fields = summary.has_root_fields || is_root_kind(kind);
      continue;
    }
    if (kind == static_cast<std::uint8_t>(CollectableKind::frame)) {
      ++summary.frames[index].count;
      summary.frames[index].byte_count += byte_count;
    } else if (is_root_kind(kind) && byte_count != 0) {
      summary.has_root_fields = true;
    }
  }
  summary.kind_counts[object] += objects;
  summary.byte_count = total;
}

}  // namespace

Summary summarise(const Collectables& collectables, const TableCounts& known) {
  Summary summary;
  summary.types.resize(known.types);
  summary.frames.resize(known.static_frames);
  if (collectables.size.wide().empty() && collectables.unmanaged_size.wide().empty()) {
    const auto sizes = collectables.size.narrow();
    const auto unmanaged = collectables.unmanaged_size.narrow();
    add_up(
        collectables, known, [&](std::size_t i) { return std::uint64_t{sizes[i]} + unmanaged[i]; }, summary);
  } else {
    add_up(
        collectables, known,
        [&](std::size_t i) { return collectables.size[i] + collectables.unmanaged_size[i]; }, summary);
  }
  return summary;
}

}  // namespace heapcheck::mvmheap
