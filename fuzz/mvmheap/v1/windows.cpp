// Property: the result does not depend on how the bytes arrive. Reading a dump in pieces, or through a larger
// window, yields the same findings, lines and tables as reading it at once. The last two bytes determine the
// size of the pieces; they are also read as part of the dump.
#include "formats/mvmheap/v1/reader.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck::mvmheap::v1;
using namespace heapcheck::fuzz;

namespace {

constexpr auto same_line = same<&Line::kind, &Line::span, &Line::part, &Line::count, &Line::whole>;
constexpr auto same_whole_part = same<&LinePart::snapshot, &LinePart::after, &LinePart::has_whole_graph,
                                      &LinePart::number, &LinePart::strings_known>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto require_same = [](const auto& one, const auto& other) {
    require(std::ranges::equal(one.container.lines, other.container.lines, same_line), "lines are the same");
    require(std::ranges::equal(one.parts, other.parts, same_whole_part), "parts are the same");
  };
  require_dump_windows_agree<FrontReader>({data, size}, SmallWindows::shorter, require_same);
  return 0;
}
