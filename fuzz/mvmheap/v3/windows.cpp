// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a dump
// gives the same findings, blocks and tables as read at once. The last two bytes say how large the
// pieces are; they are read as part of the dump all the same.
#include "formats/mvmheap/v3/reader.hpp"
#include "fuzz/support/mvmheap_windows.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
using fuzz::require;

namespace {

using Outcome = fuzz::DumpOutcome<BlockContainer, BlockPart>;

bool same_block(const Block& a, const Block& b) {
  return a.kind == b.kind && a.span == b.span && a.content == b.content && a.part == b.part &&
         a.entry_bytes == b.entry_bytes && a.count == b.count && a.whole == b.whole;
}

bool same_toc(const Toc& a, const Toc& b) {
  return a.block == b.block && a.outer == b.outer && a.own_start == b.own_start && a.entries == b.entries;
}

bool same_part(const BlockPart& a, const BlockPart& b) {
  return a.snapshot == b.snapshot && a.meta == b.meta && a.highscores == b.highscores &&
         a.states == b.states && a.after == b.after && a.order_known == b.order_known;
}

void require_same(const Outcome& one, const Outcome& other) {
  require(std::ranges::equal(one.container.blocks, other.container.blocks, same_block), "so are the blocks");
  require(std::ranges::equal(one.container.tocs, other.container.tocs, same_toc), "and their contents");
  require(std::ranges::equal(one.parts, other.parts, same_part), "so are the parts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  if (!is_v3(bytes.first(std::min(bytes.size(), magic.size())))) return 0;
  fuzz::require_dump_windows_agree<FrontReader, BlockContainer, BlockPart>(bytes, fuzz::SmallWindows::none,
                                                                           require_same);
  return 0;
}
