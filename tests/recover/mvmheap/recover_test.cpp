#include "recover/mvmheap/recover.hpp"

#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string seed_v3 = "v3/seed/two-snapshots.mvmheap";

Bytes cut(const Bytes& bytes, std::size_t length) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)};
}

mvmheap::v3::BlockContainer read_container(const Bytes& bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  mvmheap::v3::FrontReader reader(window, Limits{}, sink);
  mvmheap::v3::BlockPart part;
  while (reader.read_part(part)) {
  }
  return reader.container();
}

/// The number of snapshots in a version 3 file whose blocks can all be read.
std::uint64_t count_whole_snapshots(const Bytes& bytes) { return read_container(bytes).whole_snapshots; }

/// Finds the content of the block of `kind` in snapshot `part`.
Span find_content(const Bytes& bytes, mvmheap::v3::BlockKind kind, std::uint64_t part) {
  for (const auto& block : read_container(bytes).blocks) {
    if (block.kind == kind && block.part == part) return block.content;
  }
  FAIL("there is no such block");
  return {};
}

Bytes damage(Bytes bytes, Span place) {
  bytes[place.offset + 6] ^= 0xFF;  // changes the type of the first block of a frame to an unknown one
  return bytes;
}

Bytes without(Bytes bytes, Span place) {
  const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(place.offset);
  bytes.erase(start, start + static_cast<std::ptrdiff_t>(place.length));
  return bytes;
}

/// Inserts the bytes of `place` a second time after it.
Bytes with_repeated(Bytes bytes, Span place) {
  const Bytes copy(bytes.begin() + static_cast<std::ptrdiff_t>(place.offset),
                   bytes.begin() + static_cast<std::ptrdiff_t>(place.end()));
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place.end()), copy.begin(), copy.end());
  return bytes;
}

/// Exchanges the bytes of two places, of which `first` is the earlier one.
Bytes with_exchanged(const Bytes& bytes, Span first, Span second) {
  Bytes result;
  const auto append = [&](std::uint64_t start, std::uint64_t end) {
    result.insert(result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start),
                  bytes.begin() + static_cast<std::ptrdiff_t>(end));
  };
  append(0, first.offset);
  append(second.offset, second.end());
  append(first.end(), second.offset);
  append(first.offset, first.end());
  append(second.end(), bytes.size());
  return result;
}

std::vector<mvmheap::v2::Section> read_sections(const Bytes& bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  mvmheap::v2::FrontReader reader(window, Limits{}, sink);
  mvmheap::v2::SectionPart part;
  while (reader.read_part(part)) {
  }
  return reader.container().sections;
}

}  // namespace

TEST_CASE("a sound dump is recovered completely", "[recover]") {
  const Bytes bytes = read_seed(seed_v3);
  const Recovered recovered = recover(bytes);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 2);
  CHECK(recovered.recovery->dropped_snapshots.empty());
  CHECK(read_model(recovered.bytes) == read_model(bytes));
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("a version 3 dump truncated at any byte keeps its complete snapshots", "[recover]") {
  const Bytes bytes = read_seed(seed_v3);
  recovery::mvmheap::RecoverOptions options;
  options.write.level = 1;
  for (std::size_t length = 16; length < bytes.size(); ++length) {
    CAPTURE(length);
    const Bytes damaged = cut(bytes, length);
    const Recovered recovered = recover(damaged, options);
    REQUIRE(recovered.recovery);
    REQUIRE(recovered.recovery->kept.snapshots == count_whole_snapshots(damaged));
    if (recovered.bytes.empty()) continue;
    REQUIRE(check(recovered.bytes).verdict == Verdict::valid);
  }
}

TEST_CASE("recovering a dump with one damaged snapshot loses only that snapshot", "[recover]") {
  using mvmheap::v3::BlockKind;
  const Bytes bytes = read_seed(seed_v3);
  for (const BlockKind kind :
       {BlockKind::colkind, BlockKind::colrfstr, BlockKind::refdescr, BlockKind::reftrget}) {
    const Recovered recovered = recover(damage(bytes, find_content(bytes, kind, 0)));
    REQUIRE(recovered.recovery);
    REQUIRE(recovered.recovery->dropped_snapshots.size() == 1);
    CHECK(recovered.recovery->dropped_snapshots[0].index == 0);
    CHECK(read_model(recovered.bytes).snapshots.at(0) == read_model(bytes).snapshots.at(1));
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
    CHECK(check(recovered.bytes).count(Severity::warning) == 0);
  }
}

TEST_CASE("a version 2 section that is doubled costs nothing", "[recover]") {
  for (const std::string seed : {"layout-a", "layout-b", "layout-c"}) {
    const Bytes bytes = read_seed("v2/seed/" + seed + ".mvmheap");
    for (const auto& section : read_sections(bytes)) {
      CAPTURE(seed, section.span.offset);
      const Recovered recovered = recover(with_repeated(bytes, section.span));
      REQUIRE(recovered.recovery);
      CHECK(recovered.recovery->kept.snapshots == 2);
      CHECK(read_model(recovered.bytes) == read_model(bytes));
    }
  }
}

TEST_CASE("references of layout A that were exchanged with a last section cost their snapshot", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-a.mvmheap");
  const auto sections = read_sections(bytes);
  const Span references = sections[6].span;
  REQUIRE(sections[6].kind == mvmheap::v2::SectionKind::references);
  for (std::size_t last = sections.size() - 3; last < sections.size(); ++last) {
    CAPTURE(last);
    const Bytes damaged = with_exchanged(bytes, references, sections[last].span);
    CHECK(check(damaged).findings.size() <= 3);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->kept.snapshots == 1);
    CHECK(recovered.recovery->placeholders == mvmheap::TableCounts{});
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
  }
}

TEST_CASE("a damaged byte in a name costs only that name", "[recover]") {
  for (const std::string seed : {"v1/seed/two-snapshots.txt", "v2/seed/layout-b.mvmheap",
                                 "v2/seed/layout-c.mvmheap", "v3/seed/two-snapshots.mvmheap"}) {
    CAPTURE(seed);
    const Bytes bytes = read_seed(seed);
    const std::string name = "P6opaque";
    Bytes damaged = bytes;
    const auto found = std::ranges::search(damaged, name);
    REQUIRE(!found.empty());
    found.front() = 0xB7;
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->kept.snapshots == 2);
    CHECK(recovered.recovery->placeholders == mvmheap::TableCounts{1, 0, 0});
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
    const mvmheap::Tables before = read_model(bytes).tables;
    const mvmheap::Tables after = read_model(recovered.bytes).tables;
    CHECK(after.types == before.types);
    for (std::uint64_t i = 0; i < before.strings.count(); ++i) {
      const auto expected = before.strings[mvmheap::StringIndex{i}];
      CHECK(after.strings[mvmheap::StringIndex{i}] ==
            (expected == name ? "<string " + std::to_string(i) + ">" : expected));
    }
  }
}

TEST_CASE("a version 3 block that is missing costs at most its snapshot", "[recover]") {
  using mvmheap::v3::BlockKind;
  const Bytes bytes = read_seed(seed_v3);
  for (const auto& block : read_container(bytes).blocks) {
    const bool holds_rows = block.kind >= BlockKind::strings && block.kind <= BlockKind::sffile;
    if (holds_rows) continue;
    CAPTURE(name_of(block.kind), block.part);
    const Recovered recovered = recover(without(bytes, block.span));
    REQUIRE(recovered.recovery);
    const bool holds_graph = block.kind >= BlockKind::colkind && block.kind <= BlockKind::reftrget;
    CHECK(recovered.recovery->kept.snapshots == (holds_graph ? 1 : 2));
    CHECK(recovered.recovery->rows == mvmheap::TableCounts{10, 2, 2});
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
  }
}

TEST_CASE("the finding for a version 3 block that is missing is at its place", "[recover]") {
  using mvmheap::v3::BlockKind;
  const Bytes bytes = read_seed(seed_v3);
  for (const auto& block : read_container(bytes).blocks) {
    if (block.kind == BlockKind::toc || block.kind == BlockKind::filemeta) continue;
    CAPTURE(name_of(block.kind), block.part);
    const Report report = check(without(bytes, block.span));
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].rule->id == std::string("mvm3.block.order"));
    CHECK(report.findings[0].location.file.offset == block.span.offset);
    CHECK(report.findings[0].message.find(name_of(block.kind)) != std::string::npos);
  }
}

TEST_CASE("a version 3 table of contents that was exchanged with an earlier block costs no snapshot",
          "[recover]") {
  using mvmheap::v3::BlockKind;
  const Bytes bytes = read_seed(seed_v3);
  const auto blocks = read_container(bytes).blocks;
  const auto score = std::ranges::find(blocks, BlockKind::topscore, &mvmheap::v3::Block::kind);
  const auto empty = std::ranges::find_if(blocks, [](const mvmheap::v3::Block& block) {
    return block.kind == BlockKind::toc && block.count == 0;
  });
  REQUIRE(empty != blocks.end());
  const Recovered recovered = recover(with_exchanged(bytes, score->span, empty->span));
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 2);
}

TEST_CASE("a version 3 block that is doubled costs nothing and gets one finding", "[recover]") {
  const Bytes bytes = read_seed(seed_v3);
  for (const auto& block : read_container(bytes).blocks) {
    CAPTURE(name_of(block.kind), block.part);
    const Bytes damaged = with_repeated(bytes, block.span);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->kept.snapshots == 2);
    CHECK(read_model(recovered.bytes) == read_model(bytes));
    const auto findings = check(damaged).findings;
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule->id == std::string("mvm3.block.order"));
    CHECK(findings[0].location.file.offset == block.span.end());
    CHECK(findings[0].message.find(" a second time, ") != std::string::npos);
  }
}

TEST_CASE("damaged metadata and highscores are rebuilt from the graph", "[recover]") {
  using mvmheap::v3::BlockKind;
  const Bytes bytes = read_seed(seed_v3);
  for (const BlockKind kind : {BlockKind::snapmeta, BlockKind::topscore}) {
    const Recovered recovered = recover(damage(bytes, find_content(bytes, kind, 1)));
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->kept.snapshots == 2);
    CHECK(recovered.recovery->rebuilt_metas == (kind == BlockKind::snapmeta ? 1 : 0));
    CHECK(read_model(recovered.bytes) == read_model(bytes));
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
  }
}

TEST_CASE("a snapshot with lost names is dropped unless placeholders are requested", "[recover]") {
  const Bytes bytes = read_seed(seed_v3);
  const Bytes damaged = damage(bytes, find_content(bytes, mvmheap::v3::BlockKind::strings, 0));
  CHECK(recover(damaged).bytes.empty());

  recovery::mvmheap::RecoverOptions options;
  options.placeholder_names = true;
  const Recovered recovered = recover(damaged, options);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 2);
  CHECK(recovered.recovery->placeholders.types != 0);
  CHECK(read_model(recovered.bytes).snapshots == read_model(bytes).snapshots);
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
  CHECK(check(recovered.bytes).count(Severity::warning) == 0);
}

TEST_CASE(
    "recovering a version 1 or 2 dump, truncated anywhere or with any byte changed, produces a valid dump or "
    "none",
    "[recover]") {
  for (const std::string seed : {"v1/seed/two-snapshots.txt", "v2/seed/layout-a.mvmheap",
                                 "v2/seed/layout-b.mvmheap", "v2/seed/layout-c.mvmheap"}) {
    const Bytes bytes = read_seed(seed);
    CAPTURE(seed);
    CHECK(recover(cut(bytes, bytes.size() - 1)).recovery->kept.snapshots == 2);
    for (std::size_t i = 17; i < bytes.size(); ++i) {
      CAPTURE(i);
      Bytes changed = bytes;
      changed[i] ^= 0x5A;
      for (const Bytes& damaged : {cut(bytes, i), changed}) {
        const Recovered recovered = recover(damaged);
        REQUIRE(recovered.recovery.has_value());
        REQUIRE((recovered.recovery->kept.snapshots == 0 || !recovered.bytes.empty()));
        if (!recovered.bytes.empty()) REQUIRE(check(recovered.bytes).verdict == Verdict::valid);
      }
    }
  }
}

TEST_CASE("a version 1 snapshot that is cut off by the end of the file is reported as such", "[recover]") {
  const Recovered recovered = recover(read_seed("v1/seed/cut.txt"));
  REQUIRE(recovered.recovery);
  REQUIRE(recovered.recovery->dropped_snapshots.size() == 1);
  CHECK(recovered.recovery->dropped_snapshots[0].reason == "the file ends inside it");
}

TEST_CASE("a version 2 dump truncated before its tables keeps its graphs", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/moar-2018.03-small.mvmheap");
  const Recovered recovered = recover(cut(bytes, 60'000));
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 2);
  CHECK(recovered.recovery->placeholders.types != 0);
  const Model all = read_model(bytes);
  const Model kept = read_model(recovered.bytes);
  REQUIRE(kept.snapshots.size() == 2);
  CHECK(mvmheap::is_same_graph(kept.snapshots[1], all.snapshots[1]));
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("recovering a version 2 dump with one damaged snapshot loses only that snapshot", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/moar-2017.10-small.mvmheap");
  const Model all = read_model(bytes);
  Bytes damaged = bytes;
  std::fill_n(damaged.begin() + 20'000, 200, std::uint8_t{0xEE});  // among the first snapshot's references
  const Recovered recovered = recover(damaged);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->dropped_snapshots.size() == 1);
  const Model kept = read_model(recovered.bytes);
  CHECK(kept.tables == all.tables);
  REQUIRE(kept.snapshots.size() == all.snapshots.size() - 1);
  CHECK(mvmheap::is_same_graph(kept.snapshots[0], all.snapshots[1]));
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("only the snapshot with an index too large for any table is lost", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/two-snapshots.txt");
  std::string text(bytes.begin(), bytes.end());
  const std::string object = "1,0,24,0,0,0";
  text.replace(text.find(object), object.size(), "1,18446744073709551615,24,0,0,0");
  const Recovered recovered = recover({text.begin(), text.end()});
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 1);
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("placeholders do not repeat existing names", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/two-snapshots.txt");
  std::string text(bytes.begin(), bytes.end());
  text.replace(text.find("P6opaque"), 8, "<type 1>");
  text.replace(text.find("1,0,24,0,0,0"), 12, "1,1,24,0,0,0");  // a type that does not exist
  recovery::mvmheap::RecoverOptions options;
  options.placeholder_names = true;
  const Recovered recovered = recover({text.begin(), text.end()}, options);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->placeholders.types == 1);
  const auto report = check(recovered.bytes);
  CHECK(report.verdict == Verdict::valid);
  CHECK(report.count(Severity::warning) == 0);
}

TEST_CASE("a file that is not a dump is not recovered", "[recover]") {
  const std::string text = "not a dump";
  const Recovered recovered = recover({text.begin(), text.end()});
  REQUIRE(!recovered.recovery);
  CHECK(recovered.recovery.error().kind == ErrorKind::unknown_format);
  CHECK(recovered.bytes.empty());
}

TEST_CASE("intact names are kept if a table of a version 2 dump is truncated", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-c.mvmheap");
  const std::string_view text = core::as_text(bytes);
  const Bytes damaged = cut(bytes, text.find("fram", text.find("fram") + 1) + 30);
  CHECK(recover(damaged).recovery->kept.snapshots == 1);

  recovery::mvmheap::RecoverOptions options;
  options.placeholder_names = true;
  const Recovered recovered = recover(damaged, options);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 2);
  CHECK(recovered.recovery->placeholders.types == 0);
  CHECK(recovered.recovery->placeholders.static_frames == 1);
  CHECK(read_model(recovered.bytes).tables.types == read_model(bytes).tables.types);
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("damaged rows of layout A are replaced by those in the last sections", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-a.mvmheap");
  Bytes damaged = bytes;
  damaged[core::as_text(bytes).find("late")] = 0xFF;
  const Recovered recovered = recover(damaged);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->dropped_snapshots.empty());
  CHECK(read_model(recovered.bytes).tables == read_model(bytes).tables);
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}
