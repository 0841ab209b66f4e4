// Property: the result does not depend on how the bytes arrive. Reading a dump in pieces, or through a larger
// window, yields the same findings, sections and tables as reading it at once. The last two bytes determine
// the size of the pieces; they are also read as part of the dump.
#include "formats/mvmheap/v2/reader.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck::mvmheap::v2;
using namespace heapcheck::fuzz;

namespace {

constexpr auto same_whole_section = same<&Section::kind, &Section::span, &Section::part, &Section::is_last,
                                         &Section::count, &Section::wide, &Section::whole, &Section::certain>;

bool same_whole_part(const SectionPart& a, const SectionPart& b) {
  return a.places.offsets == b.places.offsets &&
         same<&SectionPart::snapshot, &SectionPart::has_whole_graph, &SectionPart::states,
              &SectionPart::after, &SectionPart::strings_known>(a, b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!is_v2({data, size})) return 0;
  const auto require_same = [](const auto& one, const auto& other) {
    require(std::ranges::equal(one.container.sections, other.container.sections, same_whole_section),
            "sections are the same");
    require(one.container.layout == other.container.layout, "the layout is the same");
    require(std::ranges::equal(one.parts, other.parts, same_whole_part), "parts are the same");
  };
  require_dump_windows_agree<FrontReader>({data, size}, SmallWindows::shorter, require_same);
  return 0;
}
