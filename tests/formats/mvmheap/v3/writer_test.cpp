#include "formats/mvmheap/v3/writer.hpp"

#include <algorithm>
#include <string_view>

#include "formats/core/zstd_frame.hpp"
#include "tests/formats/mvmheap/v3/dump.hpp"
#include "tests/support/check.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v3;
using format::BlockKind;

namespace {

/// The decompressed content of a block, with its kind and entry size. A table of contents is represented by
/// the indices of the blocks that it lists.
struct Content {
  BlockKind kind;
  std::uint16_t entry_bytes;
  Bytes bytes;
  std::vector<std::uint64_t> listed;
  friend bool operator==(const Content&, const Content&) = default;
};

Bytes expand(const Bytes& file, const format::Block& block) {
  const auto begin = file.begin() + static_cast<std::ptrdiff_t>(block.content.offset);
  Bytes stored(begin, begin + static_cast<std::ptrdiff_t>(block.content.length));
  const auto shape = format::info_of(block.kind).shape;
  if (shape == format::BlockShape::toc) return {};
  if (shape == format::BlockShape::meta) return stored;
  core::MemorySource source(stored);
  core::Window window(source);
  core::ZstdFrame frame(Limits{});
  REQUIRE(frame.begin(window));
  Bytes content;
  for (auto piece = frame.next(); piece && !piece->empty(); piece = frame.next()) {
    content.insert(content.end(), piece->begin(), piece->end());
  }
  CHECK(window.at_end());
  return content;
}

/// The index of the block that an entry lists. Checks that the kind and the end in the entry are correct.
std::uint64_t find_listed(const format::BlockContainer& container, const format::grammar::TocEntry& entry) {
  const auto found = std::ranges::find(container.blocks, entry.start,
                                       [](const format::Block& block) { return block.span.offset; });
  REQUIRE(found != container.blocks.end());
  CHECK(entry.end == format::BlockContainer::listed_end(*found));
  CHECK(entry.kind.name() == format::name_of(found->kind));
  return static_cast<std::uint64_t>(found - container.blocks.begin());
}

/// The content of a file without compression and without the offsets that depend on compression.
std::vector<Content> normalise(const Bytes& file) {
  const Dump dump = read_front(file);
  std::vector<Content> contents;
  for (const format::Block& block : dump.container.blocks) {
    contents.push_back({block.kind, block.entry_bytes, expand(file, block), {}});
  }
  std::vector<format::grammar::TocEntry> outer;
  for (const format::Toc& toc : dump.container.tocs) {
    if (toc.outer) update_entries(outer, toc);
    for (const auto& entry : toc.outer ? outer : toc.entries)
      contents[toc.block].listed.push_back(find_listed(dump.container, entry));
  }
  return contents;
}

/// Accepts unused rows, because some of these tables are larger than the snapshots need.
void check_silent(const Report& report) {
  CHECK(report.verdict == Verdict::valid);
  CHECK(std::ranges::all_of(report.findings, [](const Finding& finding) {
    return finding.rule->severity == Severity::note ||
           std::string_view(finding.rule->id).ends_with(".unused");
  }));
}

/// Two snapshots. The tables grow with the second one and again after it.
Dump make_dump() {
  Dump made;
  made.file_meta.pid = 42;
  add_names(made.tables, "");
  made.parts.push_back(make_part(0, made.tables, made.file_meta));
  add_names(made.tables, "2");
  made.tables.strings.add("");
  made.parts.push_back(make_part(1, made.tables, made.file_meta));
  add_names(made.tables, "3");
  return made;
}

/// Accepts a certain number of bytes and then fails.
class FullSink final : public core::ByteSink {
 public:
  explicit FullSink(std::size_t room) : room_(room) {}
  Result<void> write(core::ByteSpan bytes) override {
    ++writes;
    if (bytes.size() > room_) return std::unexpected(Error{ErrorKind::unwritable, "disk full"});
    room_ -= bytes.size();
    return {};
  }
  int writes = 0;

 private:
  std::size_t room_;
};

}  // namespace

TEST_CASE("a real file has the same content after being rewritten", "[mvmheap][v3][writer]") {
  const Dump original = read_front(read_sample());
  const Dump again = read_front(write_all(original));
  CHECK(again.ids.empty());
  CHECK(is_same_model(again, original));
}

TEST_CASE("a real file is rewritten identically except for its compression", "[mvmheap][v3][writer]") {
  const Bytes sample = read_sample();
  const int level = GENERATE(1, 9);
  const Bytes written = write_all(read_front(sample), {level});
  const auto a = normalise(sample);
  const auto b = normalise(written);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(format::name_of(a[i].kind));
    CHECK(a[i] == b[i]);
  }
  check_silent(check(written));
}

TEST_CASE("frames contain neither a content size nor a checksum", "[mvmheap][v3][writer]") {
  const Bytes written = write_all(make_dump());
  for (const format::Block& block : read_front(written).container.blocks) {
    const auto shape = format::info_of(block.kind).shape;
    if (shape != format::BlockShape::column && shape != format::BlockShape::strings) continue;
    CHECK(written[block.content.offset + 4] == 0);
  }
}

TEST_CASE("version 3 writes the same model as the same bytes", "[mvmheap][v3][writer]") {
  const Dump dump = read_front(read_sample());
  CHECK(write_all(dump) == write_all(dump));
}

TEST_CASE("tables are written as they grow", "[mvmheap][v3][writer]") {
  const Dump made = make_dump();
  const Bytes written = write_all(made);
  const Dump again = read_front(written);
  REQUIRE(again.parts.size() == 3);
  CHECK(again.ids.empty());
  CHECK(again.tables == made.tables);
  CHECK(again.file_meta == made.file_meta);
  for (std::size_t i = 0; i < made.parts.size(); ++i) {
    CHECK(again.parts[i].snapshot == made.parts[i].snapshot);
    CHECK(again.parts[i].meta == made.parts[i].meta);
    CHECK(again.parts[i].highscores == made.parts[i].highscores);
    CHECK(again.parts[i].after == made.parts[i].after);
  }
  CHECK(again.parts[2].before == made.parts[1].after);
  CHECK(again.parts[2].is_whole(BlockKind::strings));
  check_silent(check(written));
}

TEST_CASE("groups without new rows are left out", "[mvmheap][v3][writer]") {
  Dump made;
  add_names(made.tables, "");
  made.parts.push_back(make_part(0, made.tables, {}));
  made.tables.strings.add("only a string");
  made.parts.push_back(make_part(1, made.tables, {}));
  const Dump again = read_front(write_all(made));
  REQUIRE(again.parts.size() == 3);
  CHECK(again.parts[1].is_whole(BlockKind::strings));
  CHECK(again.parts[1].state(BlockKind::reprname) == format::BlockState::absent);
  CHECK(again.parts[1].state(BlockKind::sfname) == format::BlockState::absent);
  CHECK(again.container.tocs[4].entries.empty());
}

TEST_CASE("values too wide for the usual entries are preserved", "[mvmheap][v3][writer]") {
  const std::uint64_t value = GENERATE(as<std::uint64_t>{}, 255, 65535, 65536, 0xFFFF'FFFE, 0xFFFF'FFFF,
                                       0x1'0000'0000, 0xFFFF'FFFF'FFFF'FFFF);
  Dump made = make_dump();
  auto& part = made.parts[1];
  part.snapshot.collectables.kind.push_back(value);
  part.snapshot.collectables.size.push_back(value);
  part.snapshot.collectables.num_refs.push_back(value);
  part.snapshot.references.description.push_back(value);
  part.highscores.scores.push_back(value);
  made.tables.static_frames.line.truncate(2);
  made.tables.static_frames.line.push_back(value);
  const Dump again = read_front(write_all(made));
  CHECK(again.parts[1].snapshot == part.snapshot);
  CHECK(again.parts[1].highscores == part.highscores);
  CHECK(again.tables == made.tables);
  CHECK(is_same_model(again, read_front(write_all(again))));
  const auto& first_size = again.container.blocks[again.parts[0].block(BlockKind::colsize)];
  CHECK(first_size.entry_bytes == 2);
}

TEST_CASE("a file without snapshots has only a closing part", "[mvmheap][v3][writer]") {
  const Bytes written = write_all(Dump{});
  const Dump again = read_front(written);
  CHECK(again.ids.empty());
  REQUIRE(again.parts.size() == 1);
  CHECK(!again.parts[0].has_snapshot);
  check_silent(check(written));
}

TEST_CASE("a part that cannot be written is refused before anything is written", "[mvmheap][v3][writer]") {
  const Dump made = make_dump();
  core::MemorySink out;
  format::Writer writer(out, {});
  format::BlockPart part = made.parts[0];
  SECTION("a snapshot without its metadata") { part.meta.reset(); }
  SECTION("more rows than there are") { part.after.types = 100; }
  const auto result = writer.write_part(part, made.tables);
  REQUIRE(!result);
  CHECK(result.error().kind == ErrorKind::unwritable);
  CHECK(out.bytes().empty());
  CHECK(writer.write_part(made.parts[0], made.tables));
}

TEST_CASE("tables of contents do not outgrow a limit and the rest of the file", "[mvmheap][v3][writer]") {
  const Dump made = make_dump();
  core::MemorySink out;
  format::Writer writer(out, {}, {.most_table_bytes = 10'000});
  std::uint64_t count = 0;
  Result<void> result;
  for (; result && count < 1000; ++count) {
    format::BlockPart part = made.parts[0];
    part.snapshot = {};
    result = writer.write_part(part, made.tables);
  }
  REQUIRE(!result);
  CHECK(result.error().kind == ErrorKind::limit);
  CHECK(result.error().message.contains("bytes in total, expected at most "));
  const std::uint64_t others = out.bytes().size() - 12 * count * count;  // roughly
  CHECK(12 * count * count > 10'000);
  CHECK(12 * count * count < std::max<std::uint64_t>(10'000, others) * 3 / 2);
  const std::size_t byte_count = out.bytes().size();
  CHECK(!writer.finish(made.tables));
  CHECK(out.bytes().size() == byte_count);
}

TEST_CASE("nothing follows the closing part", "[mvmheap][v3][writer]") {
  const Dump made = make_dump();
  core::MemorySink out;
  format::Writer writer(out, {});
  REQUIRE(writer.finish(made.tables));
  const std::size_t byte_count = out.bytes().size();
  CHECK(writer.finish(made.tables));
  CHECK(!writer.write_part(made.parts[0], made.tables));
  CHECK(out.bytes().size() == byte_count);
}

TEST_CASE("tables whose columns differ in length are not finished", "[mvmheap][v3][writer]") {
  Dump made = make_dump();
  made.tables.types.type_name.push_back(0);
  core::MemorySink out;
  CHECK(!format::Writer(out, {}).finish(made.tables));
}

TEST_CASE("an error of the sink is returned, and again by later calls", "[mvmheap][v3][writer]") {
  const Dump dump = read_front(read_sample());
  FullSink out(200'000);
  format::Writer writer(out, dump.file_meta);
  const auto result = writer.write_part(dump.parts[0], dump.tables);
  REQUIRE(!result);
  CHECK(result.error().message == "disk full");
  const int writes = out.writes;
  CHECK(!writer.finish(dump.tables));
  CHECK(out.writes == writes);
}

TEST_CASE("computed highscores and totals equal those of the real writer", "[mvmheap][v3][derive]") {
  const Dump dump = read_front(read_sample());
  format::BlockPart part = dump.parts[0];
  const auto summary = mvmheap::summarise(part.snapshot.collectables, part.after);
  auto meta = mvmheap::make_snapshot_meta(part.snapshot, summary);
  meta.snap_time = part.meta->snap_time;
  meta.gc_seq_num = part.meta->gc_seq_num;
  CHECK(meta.total_frames >= part.meta->total_frames);
  meta.total_frames = part.meta->total_frames;
  CHECK(meta == *part.meta);
  part.highscores = mvmheap::make_highscores(summary, dump.file_meta, {}).value();
  CHECK(part.highscores.scores.count() == 160);
  Dump derived = dump;
  derived.parts[0] = part;
  check_silent(check(write_all(derived)));
}

TEST_CASE("equal scores are listed by index, and unused entries hold 0", "[mvmheap][v3][derive]") {
  mvmheap::Summary summary;
  summary.types = {{1, 10}, {3, 10}, {0, 0}, {3, 30}};
  mvmheap::FileMeta meta;
  meta.entry_count = 4;
  meta.data_order = {mvmheap::HighscoreList::types_by_count, mvmheap::HighscoreList::types_by_size};
  const auto highscores = mvmheap::make_highscores(summary, meta, {}).value();
  const std::vector<std::uint32_t> ids(highscores.ids.narrow().begin(), highscores.ids.narrow().end());
  const std::vector<std::uint32_t> scores(highscores.scores.narrow().begin(),
                                          highscores.scores.narrow().end());
  CHECK(ids == std::vector<std::uint32_t>{1, 3, 0, 0, 3, 0, 1, 0});
  CHECK(scores == std::vector<std::uint32_t>{3, 3, 1, 0, 30, 10, 10, 0});
}

TEST_CASE("highscores with more entries than fit into memory are refused", "[mvmheap][v3][derive]") {
  mvmheap::FileMeta meta;
  meta.entry_count = UINT64_MAX / 2;
  CHECK(!mvmheap::make_highscores({}, meta, {}));
  meta.entry_count = std::uint64_t{1} << 40;
  CHECK(!mvmheap::make_highscores({}, meta, {}));
}
