#include "formats/mvmheap/v1/writer.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "formats/mvmheap/v1/names.hpp"
#include "tests/formats/mvmheap/v1/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::v1;

TEST_CASE("a dump written by MoarVM is rewritten byte for byte") {
  for (const std::string& name : samples) {
    INFO(name);
    const std::string sample = read_sample(name);
    CHECK(write_all(read_all(sample)) == sample);
  }
}

TEST_CASE("a written dump reads back unchanged") {
  Dump dump;
  dump.tables =
      make_tables({"", "a", "\"", "\\", "\\\"x", "\"quoted\"", "back\\slash \"q\"", "\n", "tail\\"});
  for (std::uint64_t i = 0; i < 3; ++i) dump.parts.push_back(make_part(i, dump.tables));
  const Dump back = read_all(write_all(dump));
  CHECK(back.findings.empty());
  CHECK(is_same_model(back, dump));
}

TEST_CASE("a dump without snapshots is written with its tables") {
  Dump dump;
  CHECK(write_all(dump) == "strings: []\ntypes: \nstatic_frames: \n\n");
  dump.tables = make_tables({"a", "b"});
  CHECK(write_all(dump) == "strings: [\"a\",\"b\"]\ntypes: 0,1\nstatic_frames: 0,1,7,0\n\n");
}

TEST_CASE("a collectable without references gets the same refs_start as from MoarVM") {
  Dump dump;
  dump.tables = make_tables({"a"});
  dump.parts.push_back(make_part(0, dump.tables));
  auto& starts = dump.parts[0].snapshot.collectables.refs_start;
  starts.truncate(2);
  starts.push_back(2);
  const Dump back = read_all(write_all(dump));
  CHECK(back.parts[0].snapshot.collectables.refs_start[2] == 0);
}

TEST_CASE("the largest numbers are written in full") {
  constexpr std::uint64_t most = UINT64_MAX;
  Dump dump;
  dump.tables = make_tables({"a"});
  dump.parts.push_back(make_part(0, dump.tables));
  auto& collectables = dump.parts[0].snapshot.collectables;
  collectables.kind.push_back(most);
  collectables.type_or_frame_index.push_back(most);
  collectables.size.push_back(most);
  collectables.unmanaged_size.push_back(most);
  collectables.refs_start.push_back(most);
  collectables.num_refs.push_back(most);
  const std::string number = std::to_string(most);
  const std::string item = fmt::format(";{0},{0},{0},{0},{0},{0}\n", number);
  CHECK(write_all(dump).contains(item));
}

TEST_CASE("a name that the format cannot hold is replaced by a unique one") {
  const std::string replacement = "\xEF\xBF\xBD";
  const std::string name = "\"a\",\"b\"";
  Dump dump;
  dump.tables = make_tables({replacement + name, name, replacement + "1" + replacement + name});
  const Dump back = read_all(write_all(dump));
  CHECK(back.tables.strings[mvmheap::StringIndex{0}] == replacement + name);
  CHECK(back.tables.strings[mvmheap::StringIndex{1}] == replacement + "2" + replacement + name);
  CHECK(back.findings.empty());
}

TEST_CASE("a long name with many sequences that look like tables is made writable in one pass") {
  constexpr std::string_view tables = "\ntypes: \nstatic_frames: ";
  std::string name;
  std::string wanted;
  for (int i = 0; i < 200'000; ++i) {
    name += tables;
    wanted.append("\xEF\xBF\xBD").append(tables.substr(1));
  }
  CHECK(format::make_holdable(name) == wanted);
}

TEST_CASE("tables that change after the first part are refused") {
  const mvmheap::Tables tables = make_tables({"a", "b"});
  core::MemorySink out;
  format::Writer writer(out);
  REQUIRE(writer.write_part(make_part(0, tables), tables));
  const mvmheap::Tables grown = make_tables({"a", "b", "c"});
  CHECK_FALSE(writer.write_part(make_part(1, grown), grown));
}
