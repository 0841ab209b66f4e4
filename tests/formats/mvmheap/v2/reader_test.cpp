#include "formats/mvmheap/v2/reader.hpp"

#include "tests/formats/mvmheap/v2/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v2;
using Ids = std::vector<std::string>;

namespace {

Bytes cut(const Bytes& bytes, std::size_t length) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace

TEST_CASE("samples of real writers are read without findings", "[mvmheap][v2][reader]") {
  const Dump a = read_front(read_sample("moar-2017.10-small"));
  CHECK(a.ids.empty());
  CHECK(a.container.layout == format::Layout::increments);
  REQUIRE(a.parts.size() == 3);
  CHECK(a.parts[1].snapshot.collectables.count() == 661);
  CHECK(a.parts[0].after == mvmheap::TableCounts{132, 31, 3});
  CHECK(a.parts[2].after == a.tables.counts());
  CHECK(a.container.index->entries.size() == 3);

  const Dump b = read_front(read_sample("moar-2018.03-small"));
  CHECK(b.ids.empty());
  CHECK(b.container.layout == format::Layout::tables_at_end);
  REQUIRE(b.parts.size() == 3);
  CHECK(b.parts[0].after == mvmheap::counts_unknown);
  CHECK(b.parts[2].after == b.tables.counts());
  CHECK(b.tables.strings.count() == 135);
  CHECK(b.container.byte_count == 83142);
}

TEST_CASE("reading version 2 does not depend on the source's chunks", "[mvmheap][v2][reader]") {
  const Bytes sample = read_sample("moar-2017.10-quirky-names");
  const Dump whole = read_front(sample);
  const std::size_t chunk = GENERATE(1U, 7U, 4096U);
  const Dump pieces = read_front(sample, chunk);
  CHECK(pieces.ids == whole.ids);
  CHECK(is_same_model(pieces, whole));
}

TEST_CASE("a file left by a process that ended early keeps its snapshots and names",
          "[mvmheap][v2][reader]") {
  const Dump dump = read_front(read_sample("moar-2017.10-unfinished"));
  CHECK(dump.ids == Ids{"mvm2.file.unfinished"});
  CHECK(dump.findings.at(0).location.file == Span{56139, 0});
  CHECK(dump.container.layout == format::Layout::increments);
  CHECK(dump.container.whole_snapshots == 2);
  CHECK(dump.tables.strings.count() == 135);
  REQUIRE(dump.parts.size() == 2);
  CHECK(dump.parts[1].strings_known);
}

TEST_CASE("a file of layout B truncated before its tables ends with a part without them",
          "[mvmheap][v2][reader]") {
  const Bytes sample = read_sample("moar-2018.03-small");
  const Dump whole = read_front(sample);
  const Dump dump = read_front(cut(sample, whole.section(SectionKind::references, 1).span.end()));
  CHECK(dump.ids == Ids{"mvm2.file.unfinished"});
  REQUIRE(dump.parts.size() == 3);
  CHECK(dump.parts[1].has_whole_graph);
  CHECK(!dump.parts[2].has_snapshot);
  CHECK(!dump.parts[2].strings_known);
}

TEST_CASE("a version 2 file can be truncated anywhere without harm", "[mvmheap][v2][reader]") {
  mvmheap::Tables tables;
  add_names(tables, "");
  Dump made;
  made.parts.push_back(make_part(0, tables));
  add_names(tables, "2");
  made.parts.push_back(make_part(1, tables));
  made.tables = tables;
  const bool increments = GENERATE(true, false);
  const Bytes bytes = write_all(made, {increments});
  for (std::size_t length = format::magic.size(); length < bytes.size(); ++length) {
    const Dump dump = read_front(cut(bytes, length));
    INFO(length);
    REQUIRE(dump.ids.size() == 1);
    CHECK((dump.ids[0] == "mvm2.file.truncated" || dump.ids[0] == "mvm2.file.unfinished"));
  }
}

TEST_CASE("damage in one snapshot does not affect the others", "[mvmheap][v2][reader]") {
  Bytes sample = read_sample("moar-2017.10-small");
  const Dump whole = read_front(sample);
  const auto place = static_cast<std::ptrdiff_t>(whole.section(SectionKind::references, 1).span.offset + 400);
  const bool removes = GENERATE(true, false);
  removes ? sample.erase(sample.begin() + place) : sample.insert(sample.begin() + place, 0x55);
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == Ids{"mvm2.refs.width"});
  REQUIRE(damaged.parts.size() == 3);
  CHECK(damaged.parts[0].snapshot == whole.parts[0].snapshot);
  CHECK(!damaged.parts[1].has_whole_graph);
  CHECK(damaged.parts[1].strings_known);
  CHECK(damaged.parts[2].snapshot == whole.parts[2].snapshot);
  CHECK(damaged.tables == whole.tables);
}

TEST_CASE("a wrong count does not hide any content", "[mvmheap][v2][reader]") {
  const std::string name = GENERATE("moar-2017.10-small", "moar-2018.03-small");
  Bytes sample = read_sample(name);
  const Dump whole = read_front(sample);
  const auto index = GENERATE(0U, 1U, 2U, 5U);
  const auto& section = whole.container.sections[index];
  const auto change = GENERATE(1, -1, 0x40);
  sample[section.span.offset + format::tag_bytes] += static_cast<std::uint8_t>(change);
  const Dump damaged = read_front(sample);
  INFO(name << " " << index << " " << change);
  CHECK(damaged.ids == Ids{"mvm2.section.count"});
  CHECK(damaged.findings.at(0).location.file == Span{section.span.offset + format::tag_bytes, 8});
  CHECK(is_same_model(damaged, whole));
}

TEST_CASE("names are known in layout A as long as the last sections are complete", "[mvmheap][v2][reader]") {
  Bytes sample = read_sample("moar-2017.10-small");
  const Dump whole = read_front(sample);
  const auto& strings = whole.section(SectionKind::strings, 0);
  std::fill_n(sample.begin() + static_cast<std::ptrdiff_t>(strings.content()), 200, std::uint8_t{0xFF});
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == Ids{"mvm2.strings.length"});
  REQUIRE(damaged.parts.size() == 4);
  CHECK(!damaged.parts[0].strings_known);
  CHECK(damaged.parts[3].strings_known);
  CHECK(!damaged.parts[3].has_snapshot);
  CHECK(damaged.tables == whole.tables);
}

TEST_CASE("a wrong length of a string is repaired", "[mvmheap][v2][reader]") {
  Bytes sample = read_sample("moar-2018.03-small");
  const Dump whole = read_front(sample);
  const auto& strings = whole.container.sections[6];
  REQUIRE(strings.kind == SectionKind::strings);
  constexpr std::uint64_t row = 40;
  const std::uint64_t place =
      strings.content() + whole.tables.strings.text_before(mvmheap::StringIndex{row}) + 8 * row;
  const auto change = GENERATE(1, -1, 3, 60, -4);
  sample[place] += static_cast<std::uint8_t>(change);
  const Dump damaged = read_front(sample);
  INFO(change);
  CHECK(damaged.ids == Ids{"mvm2.strings.length"});
  CHECK(damaged.findings.at(0).location.file == Span{place, 8});
  CHECK(is_same_model(damaged, whole));
}

TEST_CASE("reading version 2 ends at the limit on sections", "[mvmheap][v2][reader]") {
  Limits limits;
  limits.max_blocks = 4;
  const Dump dump = read_front(read_sample("moar-2017.10-small"), SIZE_MAX, limits);
  CHECK(dump.ids == Ids{"limit.items"});
  CHECK(dump.container.sections.size() == 4);
}

TEST_CASE("reading version 2 ends at the limit on memory", "[mvmheap][v2][reader]") {
  Limits limits;
  limits.max_memory = 8192;
  CHECK(read_front(read_sample("moar-2017.10-small"), SIZE_MAX, limits).ids == Ids{"limit.memory"});
}

TEST_CASE("lost strings of layout C do not change the indices of later ones", "[mvmheap][v2][reader]") {
  Bytes sample = read_sample("layout-c");
  const Dump whole = read_front(sample);
  CHECK(whole.ids.empty());
  CHECK(whole.container.layout == format::Layout::uncounted);
  const auto& strings = whole.section(SectionKind::strings, 0);
  std::fill_n(sample.begin() + static_cast<std::ptrdiff_t>(strings.content()), 60, std::uint8_t{0xFF});
  const Dump damaged = read_front(sample);
  CHECK(damaged.ids == Ids{"mvm2.strings.length"});
  REQUIRE(damaged.tables.strings.count() == whole.tables.strings.count());
  CHECK(damaged.tables.strings[mvmheap::StringIndex{8}] == whole.tables.strings[mvmheap::StringIndex{8}]);
  CHECK(!damaged.parts[1].strings_known);
}

TEST_CASE("a layout is named only if the sections determine it", "[mvmheap][v2][reader]") {
  Bytes bytes = read_sample("layout-b");
  bytes.resize(core::as_text(bytes).find("type") + 30);
  CHECK(read_front(bytes).container.layout == format::Layout::tables_at_end);
  bytes.resize(32);
  CHECK(read_front(bytes).container.layout == format::Layout::unknown);
}

TEST_CASE("rows of many static frames are not mistaken for the index", "[mvmheap][v2]") {
  Dump made;
  constexpr std::uint64_t strings = 300;
  constexpr std::uint64_t frames = 20'000;  // more than the window of a reader can hold
  add_names(made.tables, "");
  for (std::uint64_t i = 0; i < strings; ++i) made.tables.strings.add(std::to_string(i));
  for (std::uint64_t i = 0; i < frames; ++i) {
    made.tables.static_frames.name.push_back(i % strings);
    made.tables.static_frames.cuid.push_back(i / strings);
    made.tables.static_frames.line.push_back(0);
    made.tables.static_frames.file.push_back(0);
  }
  made.parts.push_back(make_part(0, made.tables));
  const Dump read = read_front(write_all(made, {false}));
  CHECK(read.ids.empty());
  CHECK(read.tables == made.tables);
  // A row with the same numbers as the first index entry in the fields that are compared.
  REQUIRE(read.container.snapshots.front().entry.collectables < strings);
}
