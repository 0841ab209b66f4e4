// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a dump
// gives the same findings, lines and tables as read at once. The last two bytes say how large the
// pieces are; they are read as part of the dump all the same.
#include "formats/mvmheap/v1/reader.hpp"
#include "fuzz/support/mvmheap_windows.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

using Outcome = fuzz::DumpOutcome<LineContainer, LinePart>;

bool same_line(const Line& a, const Line& b) {
  return a.kind == b.kind && a.span == b.span && a.part == b.part && a.count == b.count && a.whole == b.whole;
}

bool same_part(const LinePart& a, const LinePart& b) {
  return a.snapshot == b.snapshot && a.after == b.after && a.has_whole_graph == b.has_whole_graph &&
         a.number == b.number && a.strings_known == b.strings_known;
}

void require_same(const Outcome& one, const Outcome& other) {
  require(std::ranges::equal(one.container.lines, other.container.lines, same_line), "so are the lines");
  require(std::ranges::equal(one.parts, other.parts, same_part), "so are the parts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  fuzz::require_dump_windows_agree<FrontReader, LineContainer, LinePart>(bytes, fuzz::SmallWindows::shorter,
                                                                         require_same);
  return 0;
}
