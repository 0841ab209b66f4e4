// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a dump gives
// the same findings, sections and tables as read at once. The last two bytes say how large the pieces are;
// they are read as part of the dump all the same.
#include "formats/mvmheap/v2/reader.hpp"
#include "fuzz/support/mvmheap_windows.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

using Outcome = fuzz::DumpOutcome<SectionContainer, SectionPart>;

bool same_section(const Section& a, const Section& b) {
  return a.kind == b.kind && a.span == b.span && a.part == b.part && a.is_last == b.is_last &&
         a.count == b.count && a.wide == b.wide && a.whole == b.whole && a.certain == b.certain;
}

bool same_part(const SectionPart& a, const SectionPart& b) {
  return a.snapshot == b.snapshot && a.has_whole_graph == b.has_whole_graph && a.states == b.states &&
         a.after == b.after && a.strings_known == b.strings_known && a.places.offsets == b.places.offsets;
}

void require_same(const Outcome& one, const Outcome& other) {
  require(std::ranges::equal(one.container.sections, other.container.sections, same_section),
          "so are the sections");
  require(one.container.layout == other.container.layout, "and the layout");
  require(std::ranges::equal(one.parts, other.parts, same_part), "so are the parts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  if (!is_v2(bytes.first(std::min(bytes.size(), magic.size())))) return 0;
  fuzz::require_dump_windows_agree<FrontReader, SectionContainer, SectionPart>(
      bytes, fuzz::SmallWindows::shorter, require_same);
  return 0;
}
