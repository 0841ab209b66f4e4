#include "formats/chrome/legacy/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::chrome::legacy {

bool Entries::is_old_variant() const {
  if (frame.empty() || frame[0] != no_stack) return false;
  std::uint64_t totals = 0;
  for (std::uint64_t row = 0; row < row_count(); ++row) {
    if (frame[row] == no_stack && type[row] == all_types) ++totals;
    if (frame[row] != no_stack && type[row] != all_types) return false;
  }
  return totals == 1;
}

std::optional<std::uint64_t> Entries::total_row() const {
  const FrameId stack = is_old_variant() ? no_stack : empty_stack;
  for (std::uint64_t row = 0; row < row_count(); ++row) {
    if (frame[row] == stack && type[row] == all_types) return row;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Entries::total(const std::vector<std::uint64_t>& values) const {
  if (values.empty()) return 0;
  const std::uint64_t value = values[total_row().value_or(0)];
  return value == no_value ? std::nullopt : std::optional(value);
}

Location Dump::locate(const Heap& heap, std::uint64_t row, std::string_view suffix) const {
  const Span span{heap.span.offset + heap.entries.at[row], heap.entries.length[row]};
  return source.place.locate(span,
                             fmt::format("/{}/entries/{}{}", core::escape_key(heap.allocator), row, suffix));
}

Location Model::locate(const Names& names, std::uint64_t row, std::uint32_t id) const {
  std::string text;
  ids.append(id, text);
  return names.events[names.event[row]].place.locate({names.offset[row], names.length[row]},
                                                     "/" + core::escape_key(text));
}

}  // namespace heapcheck::chrome::legacy
