#include "formats/mvmheap/model.hpp"

#include <fmt/format.h>

#include <string_view>

#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/row_table.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/part.hpp"

namespace heapcheck::mvmheap {

void Tables::truncate(const TableCounts& counts) {
  strings.truncate(counts.strings);
  for (auto* column : columns_of(types)) column->truncate(counts.types);
  for (auto* column : columns_of(static_frames)) column->truncate(counts.static_frames);
}

std::uint64_t Tables::memory() const {
  std::uint64_t total = strings.memory();
  for (const auto* column : columns_of(types)) total += column->memory();
  for (const auto* column : columns_of(static_frames)) total += column->memory();
  return total;
}

void Snapshot::clear() {
  collectables.kind.restart();
  collectables.type_or_frame_index.restart();
  collectables.size.restart();
  collectables.unmanaged_size.restart();
  collectables.refs_start.restart();
  collectables.num_refs.restart();
  references.description.restart();
  references.target.restart();
  references.notes = {};
  references.has_targets = true;
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
  const auto& descriptions = references.description;
  for (std::uint64_t i = descriptions.forgotten(); i < descriptions.count(); ++i) {
    const std::uint64_t description = descriptions[i];
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

std::optional<RepeatedNames> find_repeated_names(const StringTable& strings) {
  core::RowTable seen;
  const auto find_first = [&](std::uint64_t i) {
    const std::string_view text = strings[StringIndex{i}];
    const auto is_same = [&](std::uint64_t other) { return strings[StringIndex{other}] == text; };
    return seen.find_or_add(core::KeyedHash{}(text), i, is_same);
  };
  std::uint64_t run = 0;
  std::uint64_t distance = 0;  // the distance from a string in the run to the earlier string
  for (std::uint64_t i = 0; i <= strings.count(); ++i) {
    const bool is_end = i == strings.count();
    const std::uint64_t earlier = is_end ? i : find_first(i);
    const bool goes_on = run != 0 && earlier != i && i - earlier == distance;
    if (!goes_on && run != 0 && (distance == run || distance == run + 1))
      return RepeatedNames{i - distance, distance};
    run = goes_on ? run + 1 : earlier != i ? 1 : 0;
    distance = i - earlier;
  }
  return std::nullopt;
}

StringTable remove_names(const StringTable& strings, const RepeatedNames& names) {
  StringTable kept;
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (i < names.first || i - names.first >= names.count) kept.add(strings[StringIndex{i}]);
  }
  return kept;
}

void Part::reset(std::uint64_t new_index) {
  index = new_index;
  has_snapshot = has_whole_graph = is_cut = has_whole_snapshot = false;
  snapshot.clear();
  meta.reset();
  highscores.ids.clear();
  highscores.scores.clear();
  before = after = {};
  strings_known = types_known = frames_known = true;
  strings_placed = false;
  lost_strings = {};
  guessed_strings.clear();
  are_strings_counted = true;
}

std::string count_whole_snapshots(std::uint64_t count) {
  return core::counted(count, {"snapshot is complete", "snapshots are complete"});
}

std::uint64_t memory_needed(const Part& part, const Tables& tables) {
  // The additional memory for rules: sets of the rows seen, sums per row, the order of the collectables, and
  // bits for each reference.
  constexpr std::uint64_t per_row = 64;
  constexpr std::uint64_t per_collectable = 8;
  constexpr std::uint64_t references_per_byte = 2;
  const TableCounts rows = tables.counts();
  return part.snapshot.memory() + part.highscores.ids.memory() + part.highscores.scores.memory() +
         tables.memory() + per_row * (rows.strings + rows.types + rows.static_frames) +
         per_collectable * part.snapshot.collectables.count() +
         part.snapshot.references.description.count() / references_per_byte;
}

}  // namespace heapcheck::mvmheap
