#include "recover/mvmheap/placeholders.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/mvmheap/placeholder.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

namespace placeholder = model::placeholder;

/// Adds placeholders to tables without repeating any string.
class NewStrings {
 public:
  explicit NewStrings(model::Tables& tables) : tables_(&tables) {
    for (std::uint64_t i = 0; i < tables.strings.count(); ++i) {
      const std::string_view text = tables.strings[model::StringIndex{i}];
      if (model::is_placeholder(text)) used_.emplace(text);
    }
  }

  /// Returns a placeholder, followed by as many apostrophes as are needed to make the name unique.
  std::string make(std::string_view what, std::uint64_t number) {
    std::string name = model::make_placeholder(what, number);
    while (!used_.insert(name).second) name += '\'';
    return name;
  }
  /// Adds a placeholder and returns the index of the string.
  std::uint64_t add(std::string_view what, std::uint64_t number) {
    tables_->strings.add(make(what, number));
    return tables_->strings.count() - 1;
  }

 private:
  model::Tables* tables_;
  std::unordered_set<std::string, core::KeyedHash>
      used_;  // only placeholders: no other string is equal to one
};

/// Replaces the values in a column in those rows for which `values` has a value.
void replace_values(model::Column<std::uint32_t>& column,
                    const std::map<std::uint64_t, std::uint64_t>& values) {
  if (values.empty()) return;
  model::Column<std::uint32_t> replaced;
  for (std::uint64_t i = 0; i < column.count(); ++i) {
    const auto value = values.find(i);
    replaced.push_back(value == values.end() ? column[i] : value->second);
  }
  column = std::move(replaced);
}

/// Replaces strings by making a new table, because strings in a table cannot be changed.
void replace_strings(model::Tables& tables, const std::set<std::uint64_t>& lost) {
  NewStrings names(tables);
  model::StringTable replaced;
  auto next = lost.begin();
  for (std::uint64_t i = 0; i < tables.strings.count(); ++i) {
    if (next != lost.end() && *next == i) {
      replaced.add(names.make(placeholder::string, i));
      ++next;
    } else {
      replaced.add(tables.strings[model::StringIndex{i}]);
    }
  }
  tables.strings = std::move(replaced);
}

/// Adds a name for each of these rows.
std::map<std::uint64_t, std::uint64_t> add_names(NewStrings& strings, std::string_view what,
                                                 const std::set<std::uint64_t>& rows) {
  std::map<std::uint64_t, std::uint64_t> names;
  for (const std::uint64_t row : rows) names[row] = strings.add(what, row);
  return names;
}

/// The lengths of a table that are needed for the two largest indices.
struct TopTwo {
  std::uint64_t largest = 0;
  std::uint64_t second = 0;

  void add(std::uint64_t index) {
    const auto needed = core::saturating_add<std::uint64_t>(index, 1);
    second = std::max(second, std::min(largest, needed));
    largest = std::max(largest, needed);
  }
};

/// The two largest indices of types, and of static frames, in collectables.
std::pair<TopTwo, TopTwo> find_row_indices(const model::Collectables& collectables) {
  std::pair<TopTwo, TopTwo> found;
  for (std::uint64_t i = 0; i < collectables.kind.count(); ++i) {
    const std::uint64_t kind = collectables.kind[i];
    if (model::is_typed_kind(kind)) found.first.add(collectables.type_or_frame_index[i]);
    if (kind == static_cast<std::uint64_t>(model::CollectableKind::frame))
      found.second.add(collectables.type_or_frame_index[i]);
  }
  return found;
}

}  // namespace

void replace_rows(model::Tables& tables, const LostRows& lost) {
  if (!lost.strings.empty()) replace_strings(tables, lost.strings);
  if (lost.types.empty() && lost.static_frames.empty()) return;  // keeping track of all names takes time
  NewStrings strings(tables);
  const auto types = add_names(strings, placeholder::type, lost.types);
  for (auto* column : {&tables.types.repr_name, &tables.types.type_name}) replace_values(*column, types);
  model::StaticFrameTable& frames = tables.static_frames;
  const auto names = add_names(strings, placeholder::frame, lost.static_frames);
  for (auto* column : {&frames.name, &frames.cuid, &frames.file}) replace_values(*column, names);
}

model::TableCounts find_needed_rows(const model::Snapshot& snapshot) {
  const auto [types, frames] = find_row_indices(snapshot.collectables);
  return {model::find_needed_strings(snapshot.references), types.largest, frames.largest};
}

model::TableCounts find_rows_but_largest(const model::Snapshot& snapshot) {
  const auto [types, frames] = find_row_indices(snapshot.collectables);
  return {0, types.second, frames.second};
}

bool are_plausible(const model::TableCounts& needed, std::uint64_t collectables, std::uint64_t references) {
  constexpr std::uint64_t strings_of_rows = 5;  // two for a type, three for a static frame
  return needed.types <= collectables && needed.static_frames <= collectables &&
         needed.strings <= strings_of_rows * collectables + references;
}

void add_placeholders(model::Tables& tables, const model::TableCounts& needed) {
  NewStrings strings(tables);
  while (tables.strings.count() < needed.strings) strings.add(placeholder::string, tables.strings.count());
  model::TypeTable& types = tables.types;
  while (types.count() < needed.types) {
    const std::uint64_t name = strings.add(placeholder::type, types.count());
    types.repr_name.push_back(name);
    types.type_name.push_back(name);
  }
  model::StaticFrameTable& frames = tables.static_frames;
  while (frames.count() < needed.static_frames) {
    const std::uint64_t name = strings.add(placeholder::frame, frames.count());
    for (auto* column : {&frames.name, &frames.cuid, &frames.file}) column->push_back(name);
    frames.line.push_back(0);
  }
}

void add_lost_snapshots(model::Tables& tables, std::uint64_t count) {
  NewStrings(tables).add(placeholder::snapshots, count);
}

}  // namespace heapcheck::recovery::mvmheap
