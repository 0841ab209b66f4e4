// Property: reading a file without errors through its tables of contents has the same result as reading it
// from front to back. For a file with errors, reading it through its tables of contents does not crash.
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::fuzz;
using namespace heapcheck::mvmheap::v3;

namespace {

constexpr auto same_part =
    same<&BlockPart::index, &BlockPart::snapshot, &BlockPart::meta, &BlockPart::highscores,
         &BlockPart::before, &BlockPart::after, &BlockPart::has_snapshot>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (!is_v3(bytes)) return 0;
  const auto require_same = [](const auto& toc_reader, const auto& front_reader, const auto& by_toc,
                               const auto& by_front) {
    require(toc_reader.file_meta() == front_reader.file_meta(), "metadata agrees");
    require(std::ranges::equal(by_toc.parts, by_front.parts, same_part), "parts agree");
  };
  require_ways_agree<FrontReader, TocReader>(bytes, require_same);
  return 0;
}
