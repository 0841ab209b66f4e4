// Property: reading a file without errors through its index has the same result as reading it from front
// to back. For a file with errors, reading it through its index does not crash.
#include "formats/mvmheap/v2/index_reader.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;

namespace {

constexpr auto same_part =
    fuzz::same<&SectionPart::index, &SectionPart::snapshot, &SectionPart::before, &SectionPart::after,
               &SectionPart::has_snapshot, &SectionPart::has_whole_graph, &SectionPart::states>;
constexpr auto same_section =
    fuzz::same<&Section::kind, &Section::span, &Section::part, &Section::is_last, &Section::count>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (!is_v2(bytes)) return 0;
  const auto require_same = [](const auto&, const auto&, const auto& by_index, const auto& by_front) {
    fuzz::require(std::ranges::equal(by_index.parts, by_front.parts, same_part), "the parts agree");
    fuzz::require(std::ranges::equal(by_index.container.sections, by_front.container.sections, same_section),
                  "the sections agree");
    fuzz::require(by_index.container.layout == by_front.container.layout, "the layouts agree");
  };
  fuzz::require_ways_agree<FrontReader, IndexReader>(bytes, require_same);
  return 0;
}
