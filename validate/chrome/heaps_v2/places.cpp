#include "validate/chrome/heaps_v2/places.hpp"

#include <fmt/format.h>

#include <array>

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using core::escape_key;
using heapcheck::chrome::heaps_v2::Layout;

std::string path_of(const Dump& dump, const Heap& heap) {
  const std::string_view parent = dump.layout == Layout::heaps_v2 ? "/allocators" : "";
  return fmt::format("{}/{}", parent, escape_key(heap.allocator));
}

std::string path_of(const Heap& heap, HeapColumn column) {
  constexpr std::array<std::string_view, 4> usual{"nodes", "types", "counts", "sizes"};
  if (!heap.rows.empty()) return "/" + heap.rows;
  const std::string_view name = heap[column].name;
  return fmt::format("/{}", name.empty() ? usual[static_cast<std::size_t>(column)] : name);
}

}  // namespace

Location locate(const Dump& dump) { return dump.place.locate(dump.span); }

Location locate(const Dump& dump, const Heap& heap) {
  return dump.place.locate(heap.span, path_of(dump, heap));
}

Location locate(const Dump& dump, const Heap& heap, HeapColumn column) {
  return dump.place.locate(heap[column].span, path_of(dump, heap) + path_of(heap, column));
}

Location locate(const Dump& dump, const Heap& heap, HeapColumn column, std::uint64_t row) {
  return dump.place.locate(heap[column].runs.find(row),
                           fmt::format("{}{}/{}", path_of(dump, heap), path_of(heap, column), row));
}

Location locate(const Dump& dump, MapKind kind) {
  const Map& map = map_of(dump, kind);
  return dump.place.locate(map.is_present ? map.span : dump.span,
                           fmt::format("/maps/{}", noun_of(kind).many));
}

Location locate(const Dump& dump, MapKind kind, std::uint64_t row, const std::string& member) {
  return dump.place.locate(
      map_of(dump, kind).runs.find(row),
      fmt::format("/maps/{}/{}{}{}", noun_of(kind).many, row, member.empty() ? "" : "/", member));
}

const Map& map_of(const Dump& dump, MapKind kind) {
  if (kind == MapKind::nodes) return dump.nodes;
  if (kind == MapKind::types) return dump.types;
  return dump.strings;
}

core::Noun noun_of(MapKind kind) {
  if (kind == MapKind::nodes) return "node";
  return kind == MapKind::types ? core::Noun("type") : core::Noun("string");
}

}  // namespace heapcheck::validation::chrome::heaps_v2
