#include "formats/mvmheap/v1/reader.hpp"

#include "tests/formats/mvmheap/v1/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::v1;

namespace {

const std::string small =
    "strings: [\"a\",\"b\"]\ntypes: 0,1\nstatic_frames: 0,1,7,0\n\n"
    "snapshot 0\ncollectables: 9,0,0,0,0,1;1,0,24,0,0,0\nreferences: 2,1,1\n\n";

std::string replace(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("the real samples are read completely and without findings") {
  for (const std::string& name : samples) {
    INFO(name);
    const Dump dump = read_all(read_sample(name));
    CHECK(dump.ids == Ids{});
    CHECK(dump.container.complete);
    CHECK(dump.container.snapshots == dump.container.whole_snapshots);
    CHECK(std::ranges::all_of(dump.parts, [](const format::LinePart& part) {
      return part.has_whole_graph && part.strings_known && part.types_known && part.frames_known;
    }));
  }
}

TEST_CASE("names with quotes, backslashes and line feeds are decoded correctly") {
  const Dump dump = read_all(read_sample("moar-2016.04-quirky-names.txt"));
  const std::vector<std::string> wanted{"end\"",   "end\\",   "\ntypes: 1,2;3,4\n", "\\a\"b",     "\"a\\b",
                                        "a\",\"b", "\\lead",  "mid\"dle",           "\"quoted\"", "mid\\back",
                                        "",        "nl\nline"};
  for (const std::string& name : wanted) {
    INFO(name);
    bool found = false;
    for (std::uint64_t i = 0; i < dump.tables.strings.count(); ++i) {
      found = found || dump.tables.strings[mvmheap::StringIndex{i}] == name;
    }
    CHECK(found);
  }
}

TEST_CASE("a list that was moved in front of a table does not replace the list of the first snapshot") {
  const Dump whole = read_all(small);
  for (const std::string moved : {"collectables: 9,0,0,0,0,0\n", "references: 2,0,0;2,0,0\n"}) {
    for (const std::string table : {"strings", "types", "static_frames"}) {
      CAPTURE(moved, table);
      const Dump dump = read_all(replace(small, table, moved + table));
      CHECK(dump.ids == Ids{"mvm1.line.missing"});
      CHECK(is_same_model(dump, whole));
    }
  }
}

TEST_CASE("the size of the pieces that a source returns does not matter") {
  const std::string sample = read_sample("moar-2016.04-quirky-names.txt");
  const Dump whole = read_all(sample);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    CHECK(is_same_model(read_all(sample, chunk), whole));
  }
}

TEST_CASE("a file truncated anywhere keeps the snapshots before its end") {
  const std::string two = small + "snapshot 1" + small.substr(small.find("\ncollectables"));
  const std::size_t second = two.find("snapshot 1");
  for (std::size_t length = std::string("strings: [").size(); length + 1 < two.size(); ++length) {
    INFO(length);
    const Dump dump = read_all(std::string_view(two).substr(0, length));
    const bool is_boundary = two[length - 1] == '\n' && two[length] != 'c' && two[length] != 'r' &&
                             two[length] != 't' && two[length] != 's';
    if (is_boundary) {
      CHECK(dump.ids == Ids{"mvm1.line.empty"});
    } else if (length == second || length == two.find("snapshot 0")) {
      CHECK(dump.ids == Ids{});
    } else if (two.substr(length - 1, 2) != "\ns") {
      CHECK(dump.ids == Ids{"mvm1.file.truncated"});
    }
    CHECK(dump.container.whole_snapshots == (length < second - 1 ? 0U : 1U));
  }
}

TEST_CASE("an unreadable item is reported with its bytes, and later items are counted") {
  const std::string broken = replace(small, "9,0,0,0,0,1", "9,0,x,0,0,1");
  const Dump dump = read_all(broken);
  REQUIRE(dump.ids == Ids{"mvm1.item.number"});
  CHECK(dump.findings[0].location.file == Span{broken.find('x'), 1});
  CHECK(dump.findings[0].location.path == "/snapshots/0/collectables/0/size");
  CHECK(dump.container.lines[3].count == 2);
  CHECK_FALSE(dump.parts[0].has_whole_graph);
}

TEST_CASE("lines that are missing, late, repeated or swapped are reported once") {
  const std::string types = "types: 0,1\n";
  const std::string references = "references: 2,1,1\n";
  CHECK(read_all(replace(small, types, "")).ids == Ids{"mvm1.line.missing"});
  CHECK(read_all(replace(small, types, types + types)).ids == Ids{"mvm1.line.duplicate"});
  CHECK(read_all(replace(small, types, "") + types).ids == Ids{"mvm1.line.late"});
  CHECK(read_all(replace(replace(small, types, ""), "strings", types + "strings")).ids ==
        Ids{"mvm1.line.order"});
  CHECK(read_all(replace(replace(small, references, ""), "collectables", references + "collectables")).ids ==
        Ids{"mvm1.line.order"});
  CHECK(read_all(replace(small, "collectables: ", "collectbles: ")).ids == Ids{"mvm1.line.unknown"});
  CHECK(read_all(replace(small, "snapshot 0\n", "")).ids == Ids{"mvm1.line.missing"});
  CHECK(read_all(replace(small, "snapshot 0", "snapshot 1")).ids == Ids{"mvm1.snapshot.number"});
  CHECK(read_all(replace(small, "snapshot 0", "# comment\nsnapshot 0")).ids == Ids{"mvm1.line.ignored"});
}

TEST_CASE("an extra or missing line feed is reported once") {
  CHECK(read_all(replace(small, "\nreferences", "references")).ids == Ids{"mvm1.line.joined"});
  CHECK(read_all(replace(small, "\ncollectables", "collectables")).ids == Ids{"mvm1.line.joined"});
  CHECK(read_all(replace(small, "\ntypes", "types")).ids == Ids{"mvm1.line.joined"});
  CHECK(read_all(replace(small, "1;1,0,24", "1;1,0\n,24")).ids == Ids{"mvm1.line.split"});
  CHECK(read_all(replace(small, "\n\nsnapshot", "\nsnapshot")).ids == Ids{"mvm1.line.empty"});
  CHECK(read_all(small + "\n").ids == Ids{"mvm1.line.ignored"});
}

TEST_CASE("the tables are read despite a damaged end of the strings") {
  for (const std::string_view end : {"b]\n", "b\"\n", "b\n"}) {
    INFO(end);
    const Dump dump = read_all(replace(small, "b\"]\n", end));
    CHECK(dump.ids == Ids{"mvm1.strings.end"});
    CHECK(dump.tables.strings[mvmheap::StringIndex{1}] == "b");
    CHECK(dump.parts[0].has_whole_graph);
  }
}

TEST_CASE("an extra or missing quote makes the names unknown") {
  for (const std::string_view names :
       {"[\"a\"x\",\"b\"]", "[\"a,\"b\"]", "[\"a\",b\"]", "[\"a\"\"b\"]", "[a\",\"b\"]"}) {
    INFO(names);
    const Dump dump = read_all(replace(small, "[\"a\",\"b\"]", names));
    CHECK(dump.ids == Ids{"mvm1.strings.quote"});
    CHECK_FALSE(dump.parts[0].strings_known);
  }
}

TEST_CASE("an unescaped quote makes the end of an earlier name uncertain if that name begins with a quote") {
  const Dump dump = read_all(replace(small, "\"a\"", "\"\"a\",\"b\"\""));
  CHECK(dump.ids == Ids{"mvm1.strings.undecidable"});
  CHECK_FALSE(dump.parts[0].strings_known);
}

TEST_CASE("a file that ends in the head of the strings is reported only as truncated") {
  CHECK(read_all("strings: [").ids == Ids{"mvm1.file.truncated"});
  CHECK(read_all("strings: [\n").ids == Ids{"mvm1.file.truncated"});
  CHECK(read_all("strings: [\r\n").ids == Ids{"mvm1.file.truncated"});
}

TEST_CASE(
    "after a wrong snapshot number, the next number may follow either the position or the wrong number") {
  const std::string snapshot = small.substr(small.find("snapshot"));
  const auto ids_of = [&](std::string_view second, std::string_view third) {
    return read_all(small + replace(snapshot, "0", second) + replace(snapshot, "0", third)).ids;
  };
  CHECK(ids_of("1", "2") == Ids{});
  CHECK(ids_of("100000000000", "2") == Ids{"mvm1.snapshot.number"});
  CHECK(ids_of("7", "8") == Ids{"mvm1.snapshot.number"});
  CHECK(ids_of("7", "9") == Ids{"mvm1.snapshot.number", "mvm1.snapshot.number"});
}

TEST_CASE("reading version 1 ends at the limit on memory") {
  Limits limits;
  limits.max_memory = 1000;
  const Dump dump = read_all(read_sample("moar-2016.04-small.txt"), SIZE_MAX, limits);
  CHECK(dump.ids == Ids{"limit.memory"});
}

TEST_CASE("a version 1 file is recognised by its first line with content") {
  const auto is_v1 = [](std::string_view text) { return format::is_v1(core::as_bytes(text)); };
  CHECK(is_v1("strings: []"));
  CHECK(is_v1("\n# made by hand\ntypes: 1,2"));
  CHECK(is_v1("snapshot 0\n"));
  CHECK_FALSE(is_v1("strings: x"));
  CHECK_FALSE(is_v1("types: string"));
  CHECK_FALSE(is_v1("# a comment"));
  CHECK_FALSE(is_v1(""));
}

TEST_CASE("carriage returns that text mode added before line feeds in names are left out") {
  const auto read_name = [](std::string_view name, std::string_view line_end) {
    std::string text = "strings: [\"";
    text.append(name).append("\"]").append(line_end);
    text.append("types: ").append(line_end).append("static_frames: ").append(line_end).append(line_end);
    return std::string(read_all(text).tables.strings[mvmheap::StringIndex{0}]);
  };
  CHECK(read_name("a\r\nb\r\n", "\r\n") == "a\nb\n");
  CHECK(read_name("a\r\r\nb", "\r\n") == "a\r\nb");
  CHECK(read_name("a\r\nb", "\n") == "a\r\nb");
  CHECK(read_name("a\r\nb\nc", "\r\n") == "a\r\nb\nc");  // nothing shows where it was added
}
