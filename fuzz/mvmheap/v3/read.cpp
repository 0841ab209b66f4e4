// Property: whatever the input, the reader describes it consistently: every position is inside the input,
// blocks are in order, and counts match the content.
#include "formats/mvmheap/v3/reader.hpp"

#include "fuzz/support/mvmheap_dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
using fuzz::require;

namespace {

void check_block(const Block& block, std::uint64_t earliest, std::uint64_t byte_count) {
  require(block.span.length > 0 && fuzz::is_inside(block.span, byte_count), "a block is inside the input");
  require(block.span.offset >= earliest, "blocks are sorted and do not overlap");
  if (!block.whole) return;
  require(block.content.offset >= block.span.offset && block.content.end() <= block.span.end(),
          "content is inside its block");
  if (block.entry_bytes != 0) {
    require(block.count * block.entry_bytes == block.expanded, "the values of a column fill its content");
  }
}

void check_container(const BlockContainer& container, std::uint64_t byte_count) {
  std::uint64_t earliest = magic.size();
  for (const Block& block : container.blocks) {
    check_block(block, earliest, byte_count);
    require(block.part == 0 || block.part < container.parts, "a block belongs to a part");
    earliest = block.span.end();
  }
  for (const Toc& toc : container.tocs) {
    require(toc.block < container.blocks.size(), "a table of contents is a block");
    const Block& block = container.blocks[toc.block];
    const bool may_be_toc = block.kind == BlockKind::toc || block.kind == BlockKind::unknown;
    require(may_be_toc && block.count == toc.repeated + toc.entries.size(),
            "the count of a table equals the number of its entries");
  }
}

void check_part(BlockPart& part, const FrontReader& reader) {
  const BlockContainer& container = reader.container();
  // A last part that turned out to consist of trailing bytes is not counted.
  require(part.index + 1 == container.parts || (container.stopped && part.index == container.parts),
          "the container counts the parts read so far");
  require(part.before.strings <= part.after.strings && part.before.types <= part.after.types &&
              part.before.static_frames <= part.after.static_frames,
          "shared tables only grow");
  mvmheap::Tables none;
  for (std::size_t i = 0; i < kind_count; ++i) {
    if (part.states[i] == BlockState::absent) continue;
    require(part.blocks[i] < container.blocks.size(), "a block of a part is in the container");
    const Block& block = container.blocks[part.blocks[i]];
    require(static_cast<std::size_t>(block.kind) == i && block.part == part.index,
            "a block has the kind and the part under which it is listed");
    if (part.states[i] != BlockState::whole) continue;
    with_column(part, none, block.kind, [&](const auto& column) {
      const bool is_shared = block.kind >= BlockKind::reprname && block.kind <= BlockKind::sffile;
      require(is_shared || column.count() == block.count, "a column has as many values as its block");
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!is_v3({data, size})) return 0;
  check_container(fuzz::require_described<FrontReader>({data, size}, check_part).container, size);
  return 0;
}
