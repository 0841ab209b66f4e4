// Property: whatever the input, the reader describes it consistently: every position is inside the input,
// sections are in order, and counts match the content.
#include "formats/mvmheap/v2/reader.hpp"

#include "fuzz/support/mvmheap_dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

void check_container(const SectionContainer& container, std::uint64_t byte_count) {
  std::uint64_t earliest = magic.size();
  for (const Section& section : container.sections) {
    require(section.span.length > 0 && fuzz::is_inside(section.span, byte_count),
            "a section is inside the input");
    require(section.span.offset >= earliest, "sections are sorted and do not overlap");
    require(section.part <= container.snapshots.size(), "a section belongs to a part");
    earliest = section.span.end();
    if (!section.whole) continue;
    const SectionInfo& info = info_of(section.kind);
    const std::uint64_t content = section.span.length - info.head_bytes;
    const bool is_fixed = section.kind != SectionKind::references && section.kind != SectionKind::strings;
    require(is_fixed ? content == section.count * info.least_entry_bytes
                     : content >= section.count * info.least_entry_bytes,
            "the entries fill their section");
  }
  if (!container.index) return;
  require(fuzz::is_inside(container.index->span, byte_count), "the index is inside the input");
  require(container.index->entries.size() <= container.index->span.length / index_entry_bytes,
          "the index has room for its entries");
}

void check_part(const SectionPart& part, const FrontReader& reader) {
  const SectionContainer& container = reader.container();
  require(part.index + (part.has_snapshot ? 1 : 0) == container.snapshots.size(),
          "the container counts the snapshots read so far");
  require(part.before.strings <= part.after.strings && part.before.types <= part.after.types &&
              part.before.static_frames <= part.after.static_frames,
          "shared tables only grow");
  if (part.has_whole_graph)
    require(part.snapshot.has_equal_columns(), "columns of a complete graph have the same length");
  for (std::size_t i = 0; i < section_kind_count; ++i) {
    if (part.states[i] == SectionState::absent) continue;
    require(part.sections[i] < container.sections.size(), "a section of a part is in the container");
    const Section& section = container.sections[part.sections[i]];
    require(static_cast<std::size_t>(section.kind) == i, "a section has the kind listed in its part");
    if (part.states[i] != SectionState::whole || section.kind != SectionKind::references) continue;
    require(part.snapshot.references.count() == section.count, "there are as many references as entries");
    for (std::uint64_t row = 0; row < std::min<std::uint64_t>(section.count, 600); ++row) {
      const Span place = find_reference(part, row, section.span.end());
      require(place.offset >= section.content() && place.end() <= section.span.end(),
              "each reference is inside its section");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!is_v2({data, size})) return 0;
  check_container(fuzz::require_described<FrontReader>({data, size}, check_part).container, size);
  return 0;
}
