#include "formats/mvmheap/model.hpp"

#include "formats/core/checked.hpp"

namespace heapcheck::mvmheap {

void Tables::truncate(const TableCounts& counts) {
  strings.truncate(counts.strings);
  for (auto* column : {&types.repr_name, &types.type_name}) column->truncate(counts.types);
  for (auto* column : {&static_frames.name, &static_frames.cuid, &static_frames.line, &static_frames.file})
    column->truncate(counts.static_frames);
}

void Snapshot::clear() {
  collectables.kind.clear();
  collectables.type_or_frame_index.clear();
  collectables.size.clear();
  collectables.unmanaged_size.clear();
  collectables.refs_start.clear();
  collectables.num_refs.clear();
  references.description.clear();
  references.target.clear();
  references.notes = {};
}

std::uint64_t find_needed_strings(const Tables& tables, const TableCounts& first, const TableCounts& last) {
  std::uint64_t needed = 0;
  const auto look_at = [&](const auto& column, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i)
      needed = std::max(needed, core::saturating_add<std::uint64_t>(column[i], 1));
  };
  const auto& [repr_name, type_name] = tables.types;
  const auto& [name, cuid, line, file] = tables.static_frames;
  for (const auto* column : {&repr_name, &type_name}) look_at(*column, first.types, last.types);
  for (const auto* column : {&name, &cuid, &file}) look_at(*column, first.static_frames, last.static_frames);
  return needed;
}

std::uint64_t find_needed_strings(const References& references) {
  constexpr std::uint64_t kind_bits = 2;
  constexpr std::uint64_t kind_mask = 3;
  if (references.description.is_narrow()) {
    DescriptionNotes notes = references.notes;
    notes.update(references.description);
    if (const auto needed = notes.needed_strings()) return *needed;
  }
  std::uint64_t needed = 0;
  for (std::uint64_t i = 0; i < references.description.count(); ++i) {
    const std::uint64_t description = references.description[i];
    if ((description & kind_mask) == static_cast<std::uint64_t>(ReferenceKind::string))
      needed = std::max(needed, (description >> kind_bits) + 1);
  }
  return needed;
}

bool Tables::has_equal_columns() const {
  const StaticFrameTable& frames = static_frames;
  return types.repr_name.count() == types.type_name.count() &&
         std::max({frames.name.count(), frames.cuid.count(), frames.line.count(), frames.file.count()}) ==
             frames.count();
}

bool Snapshot::has_equal_columns() const {
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = collectables;
  const std::uint64_t rows = kind.count();
  return index.count() == rows && size.count() == rows && unmanaged_size.count() == rows &&
         refs_start.count() == rows && num_refs.count() == rows &&
         references.description.count() == references.target.count();
}

std::uint64_t Snapshot::memory() const {
  return collectables.kind.memory() + collectables.type_or_frame_index.memory() + collectables.size.memory() +
         collectables.unmanaged_size.memory() + collectables.refs_start.memory() +
         collectables.num_refs.memory() + references.description.memory() + references.target.memory();
}

bool is_same_graph(const Snapshot& a, const Snapshot& b) {
  const Collectables& one = a.collectables;
  const Collectables& other = b.collectables;
  if (one.kind != other.kind || one.type_or_frame_index != other.type_or_frame_index ||
      one.size != other.size || one.unmanaged_size != other.unmanaged_size ||
      one.num_refs != other.num_refs || one.refs_start.count() != other.refs_start.count() ||
      a.references != b.references) {
    return false;
  }
  for (std::uint64_t i = 0; i < one.num_refs.count(); ++i) {
    if (one.num_refs[i] != 0 && one.refs_start[i] != other.refs_start[i]) return false;
  }
  return true;
}

}  // namespace heapcheck::mvmheap
