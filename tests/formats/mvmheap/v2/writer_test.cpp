#include "formats/mvmheap/v2/writer.hpp"

#include <algorithm>
#include <string_view>

#include "tests/formats/mvmheap/v2/dump.hpp"
#include "tests/support/check.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v2;

namespace {

/// Two snapshots. The tables grow with the second one.
Dump make_dump() {
  Dump made;
  add_names(made.tables, "");
  made.parts.push_back(make_part(0, made.tables));
  add_names(made.tables, "2");
  made.tables.strings.add("");
  made.parts.push_back(make_part(1, made.tables));
  return made;
}

/// Whether the file has no findings other than those about unused rows, because these tables are larger than
/// the snapshots need.
bool is_silent(const Bytes& bytes) {
  return std::ranges::all_of(check(bytes).findings, [](const Finding& finding) {
    return std::string_view(finding.rule->id).ends_with(".unused");
  });
}

/// Writes a dump and reads it back. Checks that there are no findings and that the tables are the same.
Dump read_written(const Dump& made, bool increments) {
  const Bytes bytes = write_all(made, {increments});
  CHECK(is_silent(bytes));
  Dump again = read_front(bytes);
  CHECK(again.ids.empty());
  CHECK(again.tables == made.tables);
  return again;
}

/// Accepts a certain number of bytes and then fails.
class FullSink final : public core::ByteSink {
 public:
  explicit FullSink(std::size_t room) : room_(room) {}
  Result<void> write(core::ByteSpan bytes) override {
    if (bytes.size() > room_) return std::unexpected(Error{ErrorKind::unwritable, "disk full"});
    room_ -= bytes.size();
    return {};
  }

 private:
  std::size_t room_;
};

}  // namespace

TEST_CASE("a real file of layout A or B is rewritten byte for byte", "[mvmheap][v2][writer]") {
  const std::string name = GENERATE("moar-2017.10-small", "moar-2017.10-quirky-names", "moar-2018.03-small",
                                    "moar-2018.03-quirky-names");
  INFO(name);
  const Bytes sample = read_sample(name);
  const bool increments = name.find("2017") != std::string::npos;
  CHECK(write_all(read_front(sample), {increments}) == sample);
}

TEST_CASE("a model written in version 2 reads back unchanged", "[mvmheap][v2][writer]") {
  const Dump made = make_dump();
  const Dump again = read_written(made, GENERATE(true, false));
  REQUIRE(again.parts.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(again.parts[i].snapshot == made.parts[i].snapshot);
}

TEST_CASE("new rows after the last snapshot are written with it", "[mvmheap][v2][writer]") {
  Dump made = make_dump();
  add_names(made.tables, "3");
  const Bytes bytes = write_all(made, {true});
  CHECK(is_silent(bytes));
  CHECK(read_front(bytes).parts[1].after == made.tables.counts());
}

TEST_CASE("a dump without snapshots can be written", "[mvmheap][v2][writer]") {
  Dump made;
  add_names(made.tables, "");
  CHECK(read_written(made, GENERATE(true, false)).parts.size() == 1);
}

TEST_CASE("the error for a value that version 2 cannot hold names the field", "[mvmheap][v2][writer]") {
  Dump made = make_dump();
  made.parts[0].snapshot.collectables.size.clear();
  for (const std::uint64_t size : {0U, 65536U, 80U}) made.parts[0].snapshot.collectables.size.push_back(size);
  core::MemorySink out;
  format::Writer writer(out);
  const auto wrote = writer.write_part(made.parts[0], made.tables);
  REQUIRE(!wrote);
  CHECK(wrote.error().kind == ErrorKind::unwritable);
  CHECK(wrote.error().message == "size of collectable 1 is 65536, expected at most 65535 in version 2");
  CHECK(out.bytes().empty());
}

TEST_CASE("a failing sink stops the version 2 writer", "[mvmheap][v2][writer]") {
  const Dump made = make_dump();
  FullSink out(100);
  format::Writer writer(out);
  const auto wrote = writer.write_part(made.parts[0], made.tables);
  REQUIRE(!wrote);
  CHECK(wrote.error().message == "disk full");
  CHECK(!writer.finish(made.tables));
}
