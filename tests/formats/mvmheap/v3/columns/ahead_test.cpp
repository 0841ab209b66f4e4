#include "formats/mvmheap/v3/columns/ahead.hpp"

#include <algorithm>

#include "formats/core/source.hpp"
#include "formats/mvmheap/v3/block_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::mvmheap;
using namespace heapcheck::mvmheap::v3;

namespace {

constexpr std::size_t colkind_offset = 426;
constexpr std::size_t coltofi_offset = 6496;

Limits make_limits(unsigned threads) {
  Limits limits;
  limits.max_threads = threads;
  return limits;
}

/// A window on the graph of a dump, which begins with its kinds.
struct Input {
  explicit Input(core::ByteSpan bytes) : source(bytes.subspan(colkind_offset)), window(source) {}

  core::MemorySource source;
  core::Window window;
};

/// Reads the column at the front of the window, whether or not it was decoded ahead.
BlockOutcome read(BlockReader& reader, BlockKind kind, BlockPart& part, Block& block) {
  Tables tables;
  block.kind = kind;
  return reader.read_column(block, part, tables, "");
}

const Bytes& dump_bytes() {
  static const Bytes bytes = read_seed("v3/seed/moar-2022.12-nqp.mvmheap");
  return bytes;
}

}  // namespace

TEST_CASE("columns that are decoded ahead are those that are read in turn", "[mvmheap-v3]") {
  Input one(dump_bytes());
  Input several(dump_bytes());
  core::SilentSink sink;
  BlockReader reader(one.window, make_limits(1), sink);
  BlockReader ahead_reader(several.window, make_limits(3), sink);
  BlockPart part;
  BlockPart ahead_part;
  for (auto kind = BlockKind::colkind; kind <= BlockKind::reftrget;
       kind = static_cast<BlockKind>(static_cast<int>(kind) + 1)) {
    Block block;
    Block ahead_block;
    CHECK(read(reader, kind, part, block) == BlockOutcome::whole);
    CHECK(read(ahead_reader, kind, ahead_part, ahead_block) == BlockOutcome::whole);
    CHECK(block.count == ahead_block.count);
    CHECK(block.content == ahead_block.content);
    CHECK(block.expanded == ahead_block.expanded);
    CHECK(one.window.offset() == several.window.offset());
  }
  CHECK(part.snapshot == ahead_part.snapshot);
}

TEST_CASE("several columns are decoded ahead, unless they are damaged", "[mvmheap-v3]") {
  Bytes bytes = dump_bytes();
  bytes[coltofi_offset + head_bytes(BlockShape::column)] = 0;  // the frame's magic
  Input input(bytes);
  BlockPart part;
  ColumnsAhead ahead(make_limits(2));
  const auto has = [&](BlockKind kind) { return ahead.find(input.window, kind, part) != nullptr; };
  CHECK(has(BlockKind::colkind));
  input.window.skip(1536 - colkind_offset);
  CHECK(has(BlockKind::colsize));
  CHECK_FALSE(has(BlockKind::colkind));
  input.window.skip(coltofi_offset - 1536);
  CHECK_FALSE(has(BlockKind::coltofi));
  input.window.skip(14285 - coltofi_offset);
  CHECK(has(BlockKind::colrfcnt));
}

TEST_CASE("columns that are decoded ahead share the limits", "[mvmheap-v3]") {
  constexpr std::size_t colsize_offset = 1536;
  constexpr std::size_t refdescr_offset = 85102;
  Input input(dump_bytes());
  BlockPart part;
  Limits limits = make_limits(2);
  limits.all_frames_floor = std::uint64_t{8} << 20;  // 1 MiB for each column
  limits.all_frames_ratio = 1;
  ColumnsAhead ahead(limits);
  CHECK(ahead.find(input.window, BlockKind::colkind, part) != nullptr);
  input.window.skip(colsize_offset - colkind_offset);
  CHECK(ahead.find(input.window, BlockKind::colsize, part) != nullptr);
  input.window.skip(refdescr_offset - colsize_offset);
  CHECK(ahead.find(input.window, BlockKind::refdescr, part) == nullptr);
}

TEST_CASE("one thread decodes nothing ahead", "[mvmheap-v3]") {
  Input input(dump_bytes());
  BlockPart part;
  ColumnsAhead ahead(make_limits(1));
  CHECK(ahead.find(input.window, BlockKind::colkind, part) == nullptr);
}
