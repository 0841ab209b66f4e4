#include "formats/chrome/legacy/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::chrome::legacy {

bool Entries::is_old_variant() const {
  if (frame.empty() || frame[0] != no_stack) return false;
  return std::find(frame.begin() + 1, frame.end(), no_stack) == frame.end() &&
         std::ranges::all_of(type, [](TypeId id) { return id == all_types; });
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
