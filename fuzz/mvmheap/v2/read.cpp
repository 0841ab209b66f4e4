// Property: whatever the bytes, the reader describes them consistently: every place lies inside the input,
// sections follow each other, and counts fit what was read.
#include "formats/mvmheap/v2/reader.hpp"

#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

void check_container(const SectionContainer& container, std::uint64_t byte_count) {
  require(container.byte_count <= byte_count, "no more than the input is counted");
  std::uint64_t earliest = magic.size();
  for (const Section& section : container.sections) {
    require(section.span.length > 0 && fuzz::is_inside(section.span, byte_count),
            "a section lies inside the input");
    require(section.span.offset >= earliest, "sections are sorted and do not overlap");
    require(section.part <= container.snapshots.size(), "a section belongs to a part");
    earliest = section.span.end();
    if (!section.whole) continue;
    const SectionInfo& info = info_of(section.kind);
    const std::uint64_t content = section.span.length - info.head_bytes;
    const bool is_fixed = section.kind != SectionKind::references && section.kind != SectionKind::strings;
    require(is_fixed ? content == section.count * info.least_entry_bytes
                     : content >= section.count * info.least_entry_bytes,
            "entries fill a section");
  }
  if (!container.index) return;
  require(fuzz::is_inside(container.index->span, byte_count), "the index lies inside the input");
  require(container.index->entries.size() <= container.index->span.length / index_entry_bytes,
          "and holds its entries");
}

void check_part(const SectionPart& part, const SectionContainer& container) {
  require(part.index + (part.has_snapshot ? 1 : 0) == container.snapshots.size(), "snapshots are counted");
  require(part.before.strings <= part.after.strings && part.before.types <= part.after.types &&
              part.before.static_frames <= part.after.static_frames,
          "shared tables only grow");
  if (part.has_whole_graph)
    require(part.snapshot.has_equal_columns(), "columns of a whole graph are equally long");
  for (std::size_t i = 0; i < section_kind_count; ++i) {
    if (part.states[i] == SectionState::absent) continue;
    require(part.sections[i] < container.sections.size(), "a section of a part is in the container");
    const Section& section = container.sections[part.sections[i]];
    require(static_cast<std::size_t>(section.kind) == i, "and is that section");
    if (part.states[i] != SectionState::whole || section.kind != SectionKind::references) continue;
    require(part.snapshot.references.count() == section.count, "its entries are rows");
    for (std::uint64_t row = 0; row < std::min<std::uint64_t>(section.count, 600); ++row) {
      const Span place = find_reference(part, row, section.span.end());
      require(place.offset >= section.content() && place.end() <= section.span.end(), "each has its place");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::Window window(source);
  if (!is_v2(window.peek(magic.size()))) return 0;
  validation::Collector collector(1000);
  FrontReader reader(window, fuzz::make_limits(), collector);
  SectionPart part;
  while (reader.read_part(part)) check_part(part, reader.container());
  require(!reader.read_part(part), "behind the last part there is none");
  check_container(reader.container(), size);
  fuzz::require_places_inside(collector.take_findings(), size);
  return 0;
}
