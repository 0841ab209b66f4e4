#include "formats/open.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include "formats/format.hpp"
#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

Result<mvmheap::FoundSnapshot> read(const Bytes& bytes, std::uint64_t index) {
  core::MemorySource source(bytes);
  return formats::read_snapshot(source, {}, index);
}

bool has_index_way(Format format, const Bytes& bytes, std::uint64_t index) {
  core::MemorySource source(bytes);
  return formats::info_of(format).version->find_snapshot(source, {}, index).has_value();
}

/// Returns whether each snapshot that is read separately is equal to the one from reading the whole file.
bool agrees(const Bytes& bytes) {
  const Model model = read_model(bytes);
  for (std::size_t i = 0; i < model.snapshots.size(); ++i) {
    const auto found = read(bytes, i);
    REQUIRE(found);
    CHECK(found->part.index == i);
    if (!(found->part.snapshot == model.snapshots[i]) || !(found->tables == model.tables)) return false;
  }
  return !model.snapshots.empty();
}

}  // namespace

TEST_CASE("a snapshot read on its own equals the one from reading the whole file",
          "[mvmheap][read_snapshot]") {
  const std::string seed =
      GENERATE("v1/seed/two-snapshots.txt", "v1/seed/moar-2017.08-small.txt", "v2/seed/layout-a.mvmheap",
               "v2/seed/layout-b.mvmheap", "v2/seed/layout-b-one.mvmheap", "v2/seed/layout-c.mvmheap",
               "v2/seed/moar-2018.03-small.mvmheap", "v2/seed/cut.mvmheap", "v3/seed/two-snapshots.mvmheap",
               "v3/seed/moar-2022.12-nqp.mvmheap");
  INFO(seed);
  CHECK(agrees(read_seed(seed)));
}

TEST_CASE("a snapshot of a sound file is found by its index", "[mvmheap][read_snapshot]") {
  for (const std::string seed : {"layout-a", "layout-b", "layout-c", "moar-2018.03-small"})
    CHECK(has_index_way(Format::mvmheap_v2, read_seed("v2/seed/" + seed + ".mvmheap"), 0));
  CHECK(has_index_way(Format::mvmheap_v3, read_seed("v3/seed/two-snapshots.mvmheap"), 1));
  CHECK(formats::info_of(Format::mvmheap_v1).version->find_snapshot == nullptr);
}

TEST_CASE("a file with a broken index is scanned", "[mvmheap][read_snapshot]") {
  Bytes v2 = read_seed("v2/seed/layout-c.mvmheap");
  v2[v2.size() - 32] += 1;  // the number of snapshots
  CHECK_FALSE(has_index_way(Format::mvmheap_v2, v2, 0));
  CHECK(agrees(v2));
  Bytes v3 = read_seed("v3/seed/two-snapshots.mvmheap");
  v3[v3.size() - 8] += 1;  // the start of the last table of contents
  CHECK_FALSE(has_index_way(Format::mvmheap_v3, v3, 0));
  CHECK(agrees(v3));
}

TEST_CASE("a file whose index says nothing of the damage to another snapshot is scanned",
          "[mvmheap][read_snapshot]") {
  // After a repeated snapmeta, the blocks belong to a new part, so the numbers of later parts change.
  Bytes bytes = read_seed("v3/seed/two-snapshots.mvmheap");
  const auto meta = std::ranges::search(bytes, std::string_view("snapmeta")).begin();
  const auto column = std::ranges::search(bytes, std::string_view("colrfstr")).begin();
  REQUIRE(column != bytes.end());
  std::copy(meta, meta + 100, column);
  CHECK_FALSE(has_index_way(Format::mvmheap_v3, bytes, 1));
  const auto second = read(bytes, 1);
  CHECK((!second || !second->part.has_whole_graph));
}

TEST_CASE("the explanation of content of an unknown format names what is around it", "[detect]") {
  // a text in a stored block
  const std::string_view gzip(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x06\x00\xf9\xffhello\n\x20\x30\x3a\x36\x06\x00\x00\x00",
      29);
  const auto opened = formats::open(std::make_unique<core::MemorySource>(core::as_bytes(gzip)), {});
  REQUIRE(!opened);
  CHECK(opened.error().kind == ErrorKind::unknown_format);
  CHECK(opened.error().message.starts_with(
      "is a gzip stream whose content is not in a known format: looks like text, expected "));
}

TEST_CASE("a missing snapshot or a file that is not a MoarVM dump is an error", "[mvmheap][read_snapshot]") {
  const auto missing = read(read_seed("v3/seed/two-snapshots.mvmheap"), 2);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::unsupported);
  CHECK(missing.error().message == "no snapshot 2: found 2 snapshots, counted from 0");
  CHECK_FALSE(read({'n', 'o'}, 0));
}
