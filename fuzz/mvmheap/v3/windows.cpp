// Property: the result does not depend on how the bytes arrive. Reading a dump in pieces, or through a larger
// window, yields the same findings, blocks and tables as reading it at once. The last two bytes determine the
// size of the pieces; they are also read as part of the dump.
#include "formats/mvmheap/v3/reader.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck::mvmheap::v3;
using namespace heapcheck::fuzz;

namespace {

constexpr auto same_block = same<&Block::kind, &Block::span, &Block::content, &Block::part,
                                 &Block::entry_bytes, &Block::count, &Block::whole>;
constexpr auto same_toc = same<&Toc::block, &Toc::outer, &Toc::own_start, &Toc::entries>;
constexpr auto same_whole_part = same<&BlockPart::snapshot, &BlockPart::meta, &BlockPart::highscores,
                                      &BlockPart::states, &BlockPart::after, &BlockPart::order_known>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!is_v3({data, size})) return 0;
  require_dump_windows_agree<FrontReader>(
      {data, size}, SmallWindows::none, [](const auto& one, const auto& other) {
        require(std::ranges::equal(one.container.blocks, other.container.blocks, same_block),
                "blocks are the same");
        require(std::ranges::equal(one.container.tocs, other.container.tocs, same_toc),
                "tables of contents are the same");
        require(std::ranges::equal(one.parts, other.parts, same_whole_part), "parts are the same");
      });
  return 0;
}
