#include "validate/mvmheap/placeholders.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::validate::mvmheap {
namespace {

constexpr std::uint64_t description_shift = 2;
constexpr std::uint64_t description_kind = 3;

/// Adds `text` and says which string it is.
std::uint64_t add_string(model::Tables& tables, std::string_view text) {
  tables.strings.add(text);
  return tables.strings.count() - 1;
}

}  // namespace

model::TableCounts find_needed_rows(const model::Snapshot& snapshot) {
  model::TableCounts needed;
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = snapshot.collectables;
  for (std::uint64_t i = 0; i < kind.count(); ++i) {
    if (model::is_typed_kind(kind[i])) needed.types = std::max(needed.types, index[i] + 1);
    if (kind[i] == static_cast<std::uint64_t>(model::CollectableKind::frame))
      needed.static_frames = std::max(needed.static_frames, index[i] + 1);
  }
  const auto& descriptions = snapshot.references.description;
  for (std::uint64_t i = 0; i < descriptions.count(); ++i) {
    const std::uint64_t description = descriptions[i];
    if ((description & description_kind) == static_cast<std::uint64_t>(model::ReferenceKind::string))
      needed.strings = std::max(needed.strings, (description >> description_shift) + 1);
  }
  return needed;
}

bool are_plausible(const model::TableCounts& needed, std::uint64_t collectables, std::uint64_t references) {
  constexpr std::uint64_t strings_of_rows = 5;  // two of a type, three of a static frame
  return needed.types <= collectables && needed.static_frames <= collectables &&
         needed.strings <= strings_of_rows * collectables + references;
}

void add_placeholders(model::Tables& tables, const model::TableCounts& needed) {
  while (tables.strings.count() < needed.strings)
    add_string(tables, fmt::format("<string {}>", tables.strings.count()));
  const std::uint64_t unknown = add_string(tables, "<unknown>");
  model::TypeTable& types = tables.types;
  while (types.count() < needed.types) {
    const std::uint64_t name = add_string(tables, fmt::format("<type {}>", types.count()));
    types.repr_name.push_back(unknown);
    types.type_name.push_back(name);
  }
  model::StaticFrameTable& frames = tables.static_frames;
  while (frames.count() < needed.static_frames) {
    const std::uint64_t name = add_string(tables, fmt::format("<frame {}>", frames.count()));
    frames.name.push_back(name);
    frames.cuid.push_back(unknown);
    frames.line.push_back(0);
    frames.file.push_back(unknown);
  }
}

}  // namespace heapcheck::validate::mvmheap
