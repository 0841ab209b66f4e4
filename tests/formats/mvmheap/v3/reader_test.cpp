#include "formats/mvmheap/v3/reader.hpp"

#include "tests/formats/mvmheap/v3/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v3;

namespace {

/// The block of this kind in the first part.
const format::Block& first_block(const Dump& dump, format::BlockKind kind) {
  return dump.container.blocks[dump.parts[0].block(kind)];
}

/// The byte at the start of `place`, or `shift` bytes after it.
Bytes::iterator find_byte(Bytes& bytes, Span place, std::ptrdiff_t shift = 0) {
  return bytes.begin() + static_cast<std::ptrdiff_t>(place.offset) + shift;
}

}  // namespace

TEST_CASE("the sample from a real writer is read without findings", "[mvmheap][v3][reader]") {
  const Dump dump = read_front(read_sample());
  CHECK(dump.ids.empty());
  REQUIRE(dump.parts.size() == 2);
  CHECK(dump.parts[0].snapshot.collectables.count() == 39583);
  CHECK(dump.parts[0].has_whole_snapshot);
  CHECK(!dump.parts[1].has_snapshot);
  CHECK(dump.container.whole_snapshots == 1);
  CHECK(dump.container.byte_count == 301611);
  CHECK(dump.container.tocs.size() == 4);
}

TEST_CASE("reading version 3 does not depend on the source's chunks", "[mvmheap][v3][reader]") {
  const Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const std::size_t chunk = GENERATE(1U, 7U, 4096U);
  const Dump pieces = read_front(sample, chunk);
  CHECK(pieces.ids == whole.ids);
  CHECK(is_same_model(pieces, whole));
  CHECK(pieces.container.blocks.size() == whole.container.blocks.size());
}

TEST_CASE("a truncated file keeps the table rows before its end and is reported as truncated",
          "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const auto& strings = first_block(whole, format::BlockKind::strings);
  sample.resize(strings.span.end() + 5);
  const Dump cut = read_front(sample);
  CHECK(cut.ids == std::vector<std::string>{"mvm3.file.truncated"});
  REQUIRE(cut.parts.size() == 1);
  CHECK(cut.parts[0].snapshot == whole.parts[0].snapshot);
  CHECK(cut.tables.strings == whole.tables.strings);
  CHECK(cut.tables.types.count() == 0);
  CHECK(cut.container.whole_snapshots == 0);
}

TEST_CASE("a version 3 file can be truncated anywhere without harm", "[mvmheap][v3][reader]") {
  mvmheap::Tables tables;
  add_names(tables, "");
  Dump made;
  made.parts.push_back(make_part(0, tables, {}));
  made.tables = tables;
  const Bytes bytes = write_all(made);
  for (std::size_t length = format::magic.size(); length < bytes.size(); ++length) {
    const Dump cut = read_front({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    INFO(length);
    CHECK(cut.ids.size() <= 1);
    if (!cut.ids.empty()) CHECK(cut.ids[0] == "mvm3.file.truncated");
  }
}

TEST_CASE("a damaged frame magic does not hide any other content", "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const auto& block = first_block(whole, format::BlockKind::colsize);
  sample[block.content.offset] ^= 0xFF;
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == std::vector<std::string>{"zstd.frame.magic"});
  CHECK(damaged.parts[0].snapshot == whole.parts[0].snapshot);
}

TEST_CASE("a meta block whose end cannot be found is reported once", "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const auto& meta = first_block(whole, format::BlockKind::snapmeta);
  sample[meta.content.end() - 1] = ' ';
  sample[meta.content.offset - 8] -= 1;
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == std::vector<std::string>{"mvm3.meta.size"});
  CHECK(damaged.container.blocks.size() == whole.container.blocks.size());
  CHECK(damaged.parts[0].snapshot == whole.parts[0].snapshot);
}

TEST_CASE("reading version 3 ends at the limit on blocks", "[mvmheap][v3][reader]") {
  Limits limits;
  limits.max_blocks = 5;
  const Dump dump = read_front(read_sample(), SIZE_MAX, limits);
  CHECK(dump.ids == std::vector<std::string>{"limit.items"});
  CHECK(dump.container.blocks.size() == 5);
}

TEST_CASE("if strings may have been lost in a gap, only the strings are unknown", "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  sample.erase(find_byte(sample, first_block(whole, format::BlockKind::strings).span));
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == std::vector<std::string>{"mvm3.block.unaccounted"});
  CHECK(!damaged.parts[0].strings_known);
  CHECK(damaged.parts[0].types_known);
  CHECK(damaged.parts[0].frames_known);
  CHECK(damaged.parts[0].has_whole_graph);
}

TEST_CASE("the tables after two damaged columns are known", "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const auto& block = first_block(whole, format::BlockKind::refdescr);
  std::fill_n(find_byte(sample, block.span, -100), 200, std::uint8_t{0});
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids.size() == 1);
  CHECK(!damaged.parts[0].has_whole_graph);
  CHECK(damaged.parts[0].strings_known);
  CHECK(damaged.parts[0].types_known);
  CHECK(damaged.tables.strings == whole.tables.strings);
}

TEST_CASE("a byte lost or added in a table of contents is reported once and does not hide any content",
          "[mvmheap][v3][reader]") {
  const Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  const std::size_t toc = GENERATE(0U, 1U, 2U, 3U);
  const auto at = GENERATE(3, 10, 20);
  const bool adds = GENERATE(false, true);
  CAPTURE(toc, at, adds);
  Bytes damaged = sample;
  const auto& block = whole.container.blocks[whole.container.tocs[toc].block];
  const auto place = damaged.begin() + static_cast<std::ptrdiff_t>(block.span.offset) + at;
  adds ? damaged.insert(place, 0x55) : damaged.erase(place);
  const Dump dump = read_front(damaged);
  CHECK(dump.ids.size() <= (at == 3 ? 2 : 1));  // without its kind, an outer table is also lost
  CHECK(dump.parts[0].has_whole_graph);
  CHECK(dump.parts[0].strings_known);
  CHECK(dump.parts[0].snapshot == whole.parts[0].snapshot);
}

TEST_CASE("graph and tables are known despite a byte lost in the highscores", "[mvmheap][v3][reader]") {
  Bytes sample = read_sample();
  const Dump whole = read_front(sample);
  sample.erase(find_byte(sample, first_block(whole, format::BlockKind::topscore).content));
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == std::vector<std::string>{"zstd.frame.magic"});
  CHECK(damaged.parts[0].has_whole_graph);
  CHECK(damaged.parts[0].frames_known);
  CHECK(damaged.container.tocs.size() == whole.container.tocs.size());
}
