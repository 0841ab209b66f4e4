// Locates the parts of a dump in the trace, for use in findings.
#pragma once

#include <cstdint>
#include <string>

#include "formats/chrome/heaps_v2/scope.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Dump;
using heapcheck::chrome::heaps_v2::Heap;
using heapcheck::chrome::heaps_v2::HeapColumn;
using heapcheck::chrome::heaps_v2::Map;
using heapcheck::chrome::heaps_v2::MapKind;

[[nodiscard]] Location locate(const Dump& dump);
[[nodiscard]] Location locate(const Dump& dump, const Heap& heap);
/// The place of a whole column.
[[nodiscard]] Location locate(const Dump& dump, const Heap& heap, HeapColumn column);
/// The place of the run that contains this element of the column.
[[nodiscard]] Location locate(const Dump& dump, const Heap& heap, HeapColumn column, std::uint64_t row);
/// The place of a map, or of the dump if it has no such map.
[[nodiscard]] Location locate(const Dump& dump, MapKind kind);
/// The place of the run that contains this row of the map, or of a member of the row.
[[nodiscard]] Location locate(const Dump& dump, MapKind kind, std::uint64_t row,
                              const std::string& member = {});

[[nodiscard]] const Map& map_of(const Dump& dump, MapKind kind);
/// The noun for a row of the map; its plural is the name of the map.
[[nodiscard]] core::Noun noun_of(MapKind kind);

}  // namespace heapcheck::validation::chrome::heaps_v2
