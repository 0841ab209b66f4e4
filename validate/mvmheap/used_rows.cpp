#include "validate/mvmheap/used_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/placeholder.hpp"
#include "validate/mvmheap/graph_pass.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 28;  // larger tables are not checked
constexpr std::size_t most_candidates = 1000;

/// Calls `use` with the index of each value and the value itself.
template <class T, class Use>
void visit_values(const model::Column<T>& column, Use&& use) {
  if (column.is_narrow()) {
    const std::span<const T> values = column.narrow();
    for (std::size_t i = 0; i < values.size(); ++i) use(i, values[i]);
  } else {
    for (std::size_t i = 0; i < column.count(); ++i) use(i, column[i]);
  }
}

/// The rules that a dump can violate without any of its rows losing the uses of a string.
constexpr const Rule* not_about_strings[] = {
    &rules::collectable_kind,        &rules::collectable_root,     &rules::collectable_root_count,
    &rules::collectable_root_fields, &rules::collectable_size_sum, &rules::collectable_type_range,
    &rules::collectable_frame_range, &rules::refs_target_range,    &rules::refs_range,
    &rules::refs_partition,
};

/// The rules that a dump can violate without any of its rows losing the uses of a type or a static frame,
/// which are in the columns of collectables.
constexpr const Rule* not_about_types[] = {
    &rules::refs_kind,           &rules::refs_string_range, &rules::refs_target_range,
    &rules::refs_range,          &rules::refs_partition,    &rules::types_string_range,
    &rules::frames_string_range, &rules::strings_duplicate, &rules::strings_nul,
    &rules::strings_utf8,
};

bool contains(std::span<const Rule* const> rules, const Rule* rule) {
  return std::ranges::find(rules, rule) != rules.end();
}

/// Names that the writer adds before it knows whether there is a reference to give them to.
/// spec: mvmheap/v3.md#tables
constexpr std::array<std::string_view, 4> early_names{"Container spec data item", "REPR data item",
                                                      "Register", "Special return data"};

/// Whether the file was recovered, and some of the data that used its rows was dropped.
bool has_placeholders(const model::Tables& tables) {
  for (std::uint64_t i = 0; i < tables.strings.count(); ++i) {
    if (model::is_placeholder(tables.strings[model::StringIndex{i}])) return true;
  }
  return false;
}

}  // namespace

void UsedRows::Table::allow(std::uint64_t rows, std::uint64_t uses) {
  constexpr std::uint64_t most_rows_per_use = 8;
  most = std::min(std::max(most + most_rows_per_use * uses, rows), most_rows);
}

void UsedRows::Table::use_later(std::uint64_t index) {
  if (index >= most) return;
  used.resize(static_cast<std::size_t>(std::max(index + 1, std::min<std::uint64_t>(used.size() * 2, most))));
  used[static_cast<std::size_t>(index)] = 1;
}

std::uint64_t UsedRows::Table::find_end() const {
  std::size_t end = used.size();
  while (end != 0 && used[end - 1] == 0) --end;
  return end;
}

void UsedRows::Table::note_unused(std::uint64_t first, std::uint64_t last, Field field,
                                  const Locate& locate) {
  for (std::uint64_t i = first; i < last && candidates.size() < most_candidates; ++i) {
    if (!is_used(i)) candidates.push_back({i, locate(field, i)});
  }
}

std::uint64_t UsedRows::Table::count_unused(std::uint64_t rows) const {
  std::uint64_t unused = 0;
  for (std::uint64_t i = 0; i < rows; ++i) unused += is_used(i) ? 0 : 1;
  return unused;
}

void UsedRows::add_snapshot(const model::Snapshot& snapshot, const std::vector<std::uint8_t>* is_name) {
  has_snapshots_ = true;
  const model::TableCounts rows = tables_->counts();
  types_.allow(rows.types, snapshot.collectables.count());
  frames_.allow(rows.static_frames, snapshot.collectables.count());
  strings_.allow(rows.strings, snapshot.references.count());
  const auto& kinds = snapshot.collectables.kind;
  const auto& indices = snapshot.collectables.type_or_frame_index;
  visit_values(kinds, [&](std::size_t i, std::uint64_t kind) {
    if (model::is_typed_kind(kind)) types_.use(indices[i]);
    if (kind == static_cast<std::uint64_t>(model::CollectableKind::frame)) frames_.use(indices[i]);
  });
  if (is_name == nullptr) return add_names(snapshot.references);
  for (std::size_t i = 0; i < is_name->size(); ++i) {
    if ((*is_name)[i] != 0) strings_.use(i);
  }
}

void UsedRows::add_names(const model::References& references) {
  const auto& descriptions = references.description;
  const std::uint64_t needed = model::find_needed_strings(references);
  if (descriptions.is_narrow() && needed <= strings_.most)
    return mark_names(descriptions.narrow(), needed, strings_.used);
  for (std::uint64_t i = 0; i < descriptions.count(); ++i) {
    if ((descriptions[i] & ((1U << kind_bits) - 1)) == string_reference)
      strings_.use(descriptions[i] >> kind_bits);
  }
}

void UsedRows::add_rows(const model::Part& part) {
  const model::TableCounts rows = tables_->counts();
  const auto added = [](std::uint64_t before, std::uint64_t after, std::uint64_t all) {
    return std::min(after, all) - std::min(before, all);
  };
  strings_.allow(rows.strings,
                 added(part.before.types, part.after.types, rows.types) +
                     added(part.before.static_frames, part.after.static_frames, rows.static_frames));
  const auto use = [&](const auto& column, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < std::min(last, column.count()); ++i) strings_.use(column[i]);
  };
  for (const auto* column : {&tables_->types.repr_name, &tables_->types.type_name})
    use(*column, part.before.types, part.after.types);
  const auto& frames = tables_->static_frames;
  for (const auto* column : {&frames.name, &frames.cuid, &frames.file})
    use(*column, part.before.static_frames, part.after.static_frames);
}

void UsedRows::add(const model::Part& part, const Locate& locate, const std::vector<std::uint8_t>* is_name) {
  if (part.has_whole_graph) add_snapshot(part.snapshot, is_name);
  if (part.after == model::counts_unknown) return;
  add_rows(part);
  const auto last = [](std::uint64_t after, std::uint64_t rows) { return std::min(after, rows); };
  const model::TableCounts rows = tables_->counts();
  strings_.note_unused(part.before.strings, last(part.after.strings, rows.strings), Field::string, locate);
  types_.note_unused(part.before.types, last(part.after.types, rows.types), Field::type_repr_name, locate);
  frames_.note_unused(part.before.static_frames, last(part.after.static_frames, rows.static_frames),
                      Field::frame_name, locate);
}

bool UsedRows::has_unused() const {
  const model::TableCounts rows = tables_->counts();
  return strings_.count_unused(rows.strings) + types_.count_unused(rows.types) +
             frames_.count_unused(rows.static_frames) !=
         0;
}

bool UsedRows::lacks_strings() const {
  const std::uint64_t rows = tables_->strings.count();
  std::uint64_t end = rows;
  while (strings_.is_used(end)) ++end;
  return end != rows && end == strings_.find_end();
}

void UsedRows::report(const Table& table, std::uint64_t rows, const Rule& rule, core::Noun noun,
                      core::FindingSink& sink) {
  if (rows > most_rows) return;
  const std::uint64_t unused = table.count_unused(rows);
  if (unused == 0) return;
  const auto first =
      std::ranges::find_if(table.candidates, [&](const Unused& row) { return !table.is_used(row.row); });
  const bool has_place = first != table.candidates.end();
  const Location unplaced{{}, std::nullopt, "/" + std::string(noun.one)};
  sink.report({&rule, has_place ? first->place : unplaced,
               fmt::format("found {} that nothing refers to, expected none", core::counted(unused, noun))});
}

UsedRows::Table UsedRows::use_early_names() const {
  Table strings = strings_;
  for (std::uint64_t i = 0; i < std::min(tables_->strings.count(), most_rows); ++i) {
    if (strings.is_used(i)) continue;
    const std::string_view text = tables_->strings[model::StringIndex{i}];
    if (std::ranges::find(early_names, text) != early_names.end()) strings.use(i);
  }
  return strings;
}

void UsedRows::check(std::span<const Rule* const> violated, core::FindingSink& sink) const {
  if (!has_snapshots_ || has_placeholders(*tables_)) return;
  const model::TableCounts rows = tables_->counts();
  const auto keeps_strings = [&](const Rule* rule) {
    return contains(not_about_strings, rule) || contains(about_totals_, rule);
  };
  const auto keeps_types = [](const Rule* rule) { return contains(not_about_types, rule); };
  // Reporting may add to the rules, so both are decided first.
  const bool has_strings = std::ranges::all_of(violated, keeps_strings);
  const bool has_types = std::ranges::all_of(violated, keeps_types);
  if (has_strings) report(use_early_names(), rows.strings, rules::strings_unused, "string", sink);
  if (!has_types) return;
  report(types_, rows.types, rules::types_unused, "type", sink);
  report(frames_, rows.static_frames, rules::frames_unused, "static frame", sink);
}

}  // namespace heapcheck::validation::mvmheap
