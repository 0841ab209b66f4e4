#include "formats/mvmheap/v3/toc_reader.hpp"

#include "formats/core/codec.hpp"
#include "tests/formats/mvmheap/v3/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v3;
using format::BlockKind;
using Strings = std::vector<std::string>;

namespace {

/// The kind, position, content and counts of a block, in a form that can be compared and printed.
using Row = std::array<std::uint64_t, 8>;

/// The blocks of a container, without stale outer tables of contents.
std::vector<Row> make_rows(const format::BlockContainer& container) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < container.blocks.size(); ++i) {
    const format::Block& block = container.blocks[i];
    const auto toc = std::ranges::find(container.tocs, i, &format::Toc::block);
    const bool is_last = i + 1 == container.blocks.size();
    if (toc != container.tocs.end() && toc->outer && !is_last) continue;
    rows.push_back({static_cast<std::uint64_t>(block.kind), block.span.offset, block.span.length,
                    block.content.offset, block.content.length, block.part, block.expanded, block.count});
  }
  return rows;
}

/// A small valid file with two snapshots and growing tables.
Bytes make_file() {
  Dump made;
  add_names(made.tables, "");
  made.parts.push_back(make_part(0, made.tables, {}));
  add_names(made.tables, "2");
  made.parts.push_back(make_part(1, made.tables, {}));
  return write_all(made);
}

void store(Bytes& bytes, std::uint64_t offset, std::uint64_t value) {
  Bytes encoded;
  core::encode_le(value, encoded);
  std::ranges::copy(encoded, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// The offset of entry `index` in the last outer table of contents.
std::uint64_t find_outer_entry(const Dump& dump, std::size_t index) {
  return dump.container.blocks.back().content.offset + index * format::grammar::toc_entry_bytes;
}
std::uint64_t find_inner_entry(const Dump& dump, std::uint64_t part, std::size_t index) {
  for (const format::Block& block : dump.container.blocks) {
    if (block.kind == BlockKind::toc && block.part == part)
      return block.content.offset + index * format::grammar::toc_entry_bytes;
  }
  return 0;
}

}  // namespace

TEST_CASE("both readers agree on the sample", "[mvmheap][v3][toc_reader]") {
  const Bytes sample = read_sample();
  const Dump front = read_front(sample);
  const std::size_t chunk = GENERATE(as<std::size_t>{}, 7, 4096, 1 << 20);
  const Dump toc = read_toc(sample, chunk);
  CHECK(toc.ids == Strings{});
  CHECK(is_same_model(toc, front));
  CHECK(make_rows(toc.container) == make_rows(front.container));
  CHECK(toc.container.byte_count == front.container.byte_count);
  CHECK(toc.container.whole_snapshots == front.container.whole_snapshots);
}

TEST_CASE("both readers agree on a file of several snapshots", "[mvmheap][v3][toc_reader]") {
  const Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  const Dump toc = read_toc(bytes, GENERATE(as<std::size_t>{}, 1, 7, 1 << 20));
  CHECK(toc.ids == Strings{});
  CHECK(toc.parts.size() == 3);
  CHECK(is_same_model(toc, front));
  CHECK(make_rows(toc.container) == make_rows(front.container));
}

TEST_CASE("the order of entries in a table of contents does not matter", "[mvmheap][v3][toc_reader]") {
  Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  const auto swap = [&](std::uint64_t a, std::uint64_t b) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(a);
    std::swap_ranges(first, first + format::grammar::toc_entry_bytes,
                     bytes.begin() + static_cast<std::ptrdiff_t>(b));
  };
  swap(find_inner_entry(front, 0, 2), find_inner_entry(front, 0, 9));
  swap(find_outer_entry(front, 0), find_outer_entry(front, 2));
  const Dump toc = read_toc(bytes);
  CHECK(toc.ids == Strings{});
  CHECK(is_same_model(toc, front));
}

TEST_CASE("a closing offset that does not lead to a table of contents is reported",
          "[mvmheap][v3][toc_reader]") {
  const Bytes whole = make_file();
  Bytes bytes = whole;
  const std::uint64_t stale_start = read_front(whole).container.tocs[1].own_start;
  const std::uint64_t start =
      GENERATE_COPY(as<std::uint64_t>{}, 0, 15, 16, stale_start, whole.size() - 8, whole.size(), UINT64_MAX);
  store(bytes, bytes.size() - 8, start);
  const Dump toc = read_toc(bytes);
  CHECK(!toc.ids.empty());
  CHECK(toc.parts.empty());
}

TEST_CASE("a truncated file can be read only if it ends with a complete outer table",
          "[mvmheap][v3][toc_reader]") {
  const Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Dump toc = read_toc({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    const bool ends_with_toc = std::ranges::any_of(front.container.tocs, [&](const format::Toc& each) {
      return each.outer && front.container.blocks[each.block].span.end() == length;
    });
    INFO(length);
    CHECK(toc.ids.empty() == ends_with_toc);
    CHECK(toc.parts.empty() == !ends_with_toc);
  }
}

TEST_CASE("an entry that points to a block already read is not followed", "[mvmheap][v3][toc_reader]") {
  Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  const format::Block& outer = front.container.blocks.back();
  SECTION("to itself") {
    store(bytes, find_outer_entry(front, 1) + 8, outer.span.offset);
    store(bytes, find_outer_entry(front, 1) + 16, format::BlockContainer::listed_end(outer));
  }
  SECTION("to a table that has been read") {
    store(bytes, find_outer_entry(front, 2) + 8, front.container.tocs[0].own_start);
  }
  SECTION("from a part to a block of a different part") {
    const std::uint64_t other = front.container.tocs[0].entries[1].start;
    store(bytes, find_inner_entry(front, 1, 1) + 8, other);
  }
  const Dump toc = read_toc(bytes);
  CHECK(toc.ids == Strings{"mvm3.block.order"});
  CHECK(toc.container.stopped);
}

TEST_CASE("reading ends at an entry that does not point to its block", "[mvmheap][v3][toc_reader]") {
  Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  SECTION("end beyond the file") { store(bytes, find_inner_entry(front, 0, 3) + 16, UINT64_MAX); }
  SECTION("start inside a block") {
    store(bytes, find_inner_entry(front, 0, 3) + 8, front.container.tocs[0].entries[3].start + 1);
  }
  SECTION("start of a block of a different kind") {
    store(bytes, find_inner_entry(front, 0, 3) + 8, front.container.tocs[0].entries[4].start);
  }
  const Dump toc = read_toc(bytes);
  CHECK(toc.ids == Strings{"mvm3.block.kind"});
  CHECK(!toc.parts[0].order_known);
}

TEST_CASE("an entry of the outer table that points past the end is read last", "[mvmheap][v3][toc_reader]") {
  Bytes bytes = make_file();
  const Dump front = read_front(bytes);
  store(bytes, find_outer_entry(front, 1) + 8, bytes.size() + 1);
  const Dump toc = read_toc(bytes);
  CHECK(toc.ids == Strings{"mvm3.block.kind"});
  CHECK(!toc.parts.back().order_known);
}

TEST_CASE("a damaged block does not prevent reading the others", "[mvmheap][v3][toc_reader]") {
  Bytes bytes = read_sample();
  const Dump front = read_front(bytes);
  const auto& block = front.container.blocks[front.parts[0].block(BlockKind::colsize)];
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(block.content.offset) + 9, 200, std::uint8_t{0xA5});
  const Dump toc = read_toc(bytes);
  CHECK(toc.ids == Strings{"zstd.frame.corrupt"});
  CHECK(toc.parts[0].state(BlockKind::colsize) == format::BlockState::broken);
  CHECK(toc.parts[0].snapshot.references == front.parts[0].snapshot.references);
  CHECK(toc.tables == front.tables);
}

TEST_CASE("reading by the tables of contents respects the limits", "[mvmheap][v3][toc_reader]") {
  Limits limits;
  SECTION("blocks") { limits.max_blocks = 5; }
  SECTION("entries") { limits.max_toc_entries = 7; }
  CHECK(read_toc(read_sample(), SIZE_MAX, limits).ids == Strings{"limit.items"});
}
