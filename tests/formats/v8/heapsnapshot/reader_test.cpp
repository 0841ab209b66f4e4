#include "formats/v8/heapsnapshot/reader.hpp"

#include <array>

#include "tests/support/heapsnapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using tests::make_snapshot;
using tests::read_snapshot_seed;

namespace {

/// A tree of `depth` calls, each inside the previous one.
std::string make_tree(std::size_t depth) {
  std::string text = "{\"snapshot\":{},\"trace_tree\":[";
  for (std::size_t i = 0; i < depth; ++i) text += std::to_string(i + 1) + ",0,1,8,[";
  for (std::size_t i = 0; i < depth; ++i) text += "]";
  return text + "]}";
}

bool has_rule(const tests::SnapshotReading& reading, std::string_view id) {
  for (const Finding& finding : reading.findings) {
    if (finding.rule->id == id) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a snapshot of Node.js is read into columns", "[v8][heapsnapshot]") {
  const auto reading = tests::read_snapshot(read_snapshot_seed("node-24-stacks.heaptimeline"));
  const Snapshot& snapshot = reading.snapshot;
  CHECK(reading.findings.empty());
  CHECK(snapshot.is_whole);
  CHECK_FALSE(snapshot.has_record_lines);
  CHECK(snapshot.table(Section::nodes).row_count() == snapshot.header.node_count->value);
  CHECK(snapshot.table(Section::edges).row_count() == snapshot.header.edge_count->value);
  const ChunkedColumn& ids = *snapshot.find_column(Section::nodes, "id");
  CHECK(ids[0] == 1);
  CHECK(ids[1] == 3);
  CHECK(snapshot.strings.table[0] == "<dummy>");
  CHECK(snapshot.trace_tree.id[0] == 1);
  CHECK(snapshot.trace_tree.parent[0] == TraceTree::no_parent);
  CHECK(snapshot.trace_tree.parent[1] == 0);
}

TEST_CASE("columns are found by name, not by position", "[v8][heapsnapshot]") {
  const auto reading =
      tests::read_snapshot(R"j({"snapshot":{"meta":{"node_fields":["id","type"]}},"nodes":[7,1,9,0]})j");
  const Snapshot& snapshot = reading.snapshot;
  REQUIRE(snapshot.find_column(Section::nodes, "id") != nullptr);
  CHECK((*snapshot.find_column(Section::nodes, "id"))[1] == 9);
  CHECK((*snapshot.find_column(Section::nodes, "type"))[0] == 1);
  CHECK(snapshot.find_column(Section::nodes, "name") == nullptr);
}

TEST_CASE("sections before the header are split into columns afterwards", "[v8][heapsnapshot]") {
  const auto reading =
      tests::read_snapshot(R"j({"nodes":[7,1,9,0,5],"snapshot":{"meta":{"node_fields":["id","type"]}}})j");
  const Table& nodes = reading.snapshot.table(Section::nodes);
  REQUIRE(nodes.row_count() == 2);
  CHECK(nodes.value_count == 5);
  CHECK((*reading.snapshot.find_column(Section::nodes, "id"))[1] == 9);
  const Span place = find_value(nodes, 1, 1);  // the span of all rows, because some values are left over
  CHECK((place.offset <= 16 && place.end() >= 17));
  CHECK(has_rule(reading, "v8snap.section.order"));
}

TEST_CASE("offsets are exact, however numbers are spaced", "[v8][heapsnapshot]") {
  for (const std::string between : {",", ", "}) {
    std::string nodes;
    std::vector<std::size_t> offsets;
    for (std::uint64_t row = 0; row < 10'000; ++row) {
      const std::uint64_t values[] = {1, row % 3, row * 12345, row == 9000 ? ~std::uint64_t{0} >> 1 : 1, 0};
      for (const std::uint64_t value : values) {
        if (!nodes.empty()) nodes += between;
        offsets.push_back(nodes.size());
        nodes += std::to_string(value);
      }
    }
    const std::string text = make_snapshot(nodes, "", "\"\"");
    const std::size_t begin = text.find("\"nodes\":[") + 9;
    const auto reading = tests::read_snapshot(text, {}, 4096);
    const Table& table = reading.snapshot.table(Section::nodes);
    REQUIRE(table.row_count() == 10'000);
    for (const std::size_t row : {0U, 1U, 4095U, 4096U, 9000U, 9999U}) {
      const Span place = find_value(table, row, 2);
      CHECK(place == Span{begin + offsets[row * 5 + 2], std::to_string(row * 12345).size()});
    }
  }
}

TEST_CASE("offsets are exact if each record is on its own line", "[v8][heapsnapshot]") {
  const std::string text = make_snapshot("1,1,1,0,0\n,1,22,3,0,0\n,0,1,5,16,0\n", "", "\"\",\n\"a\"");
  const auto reading = tests::read_snapshot(text);
  CHECK(reading.snapshot.has_record_lines);
  CHECK(find_value(reading.snapshot.table(Section::nodes), 1, 1) == Span{text.find("22"), 2});
  CHECK(find_row(reading.snapshot.table(Section::nodes), 2) == Span{text.find("0,1,5,16,0"), 10});
  CHECK(reading.snapshot.strings.find(1) == Span{text.find("\"a\""), 3});
}

TEST_CASE("strings are kept as V8 spells them", "[v8][heapsnapshot]") {
  const auto reading = tests::read_snapshot(
      make_snapshot("1,0,1,0,0", "", R"j("\u00e9","é","\/","\ud83d","😀","\u0041\n","x\u007f")j"));
  const StringTable& strings = reading.snapshot.strings.table;
  REQUIRE(strings.count() == 7);
  CHECK(strings[0] == "\\u00E9");
  CHECK(strings[1] == "\\u00E9");
  CHECK(strings[2] == "/");
  CHECK(strings[3] == "\\uD83D");
  CHECK(strings[4] == "\\uD83D\\uDE00");
  CHECK(strings[5] == "A\\n");
  CHECK(strings[6] == "x\x7F");
}

TEST_CASE("half a surrogate pair is preserved, even at the end of a string", "[v8][heapsnapshot]") {
  const auto reading =
      tests::read_snapshot(make_snapshot("1,0,1,0,0", "", R"j("\ud83da","\udc00")j"), {}, 64);
  CHECK(reading.snapshot.strings.table[0] == "\\uD83Da");
  CHECK(reading.snapshot.strings.table[1] == "\\uDC00");
}

TEST_CASE("a deep trace tree is read", "[v8][heapsnapshot]") {
  constexpr std::size_t depth = 100'000;
  const auto reading = tests::read_snapshot(make_tree(depth));
  const TraceTree& tree = reading.snapshot.trace_tree;
  REQUIRE(tree.id.size() == depth);
  CHECK(tree.is_whole());
  CHECK(tree.parent[depth - 1] == depth - 2);
}

TEST_CASE("reading a snapshot stops when the memory limit is reached", "[v8][heapsnapshot]") {
  std::string nodes = "1,0,1,0,0";
  for (int i = 0; i < 50'000; ++i) nodes += ",1,0,1000000000000000,0,0,1,0,0,0,0";
  Limits limits;
  limits.max_memory = 100'000;
  const auto reading = tests::read_snapshot(make_snapshot(nodes, "", ""), limits);
  REQUIRE(reading.findings.size() == 1);
  CHECK(reading.findings[0].rule->id == "limit.memory");
  CHECK(reading.findings[0].message == "the snapshot needs more memory than the limit of 100000 bytes");
  CHECK(reading.snapshot.table(Section::nodes).memory() < 400'000);
}

TEST_CASE("a column takes as many bytes as its values need", "[v8][heapsnapshot]") {
  std::vector<std::uint64_t> values(chunk_rows, 7);
  ChunkedColumn constant;
  constant.append_chunk(values.data(), values.size(), 1);
  CHECK(constant.memory() < 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (std::uint64_t{1} << 40) + i % 200;
  ChunkedColumn close;
  close.append_chunk(values.data(), values.size(), 1);
  CHECK(close.memory() < chunk_rows + 100);
  CHECK(close[chunk_rows - 1] == values.back());
  CHECK(close.largest() == (std::uint64_t{1} << 40) + 199);
  values[5] = ~std::uint64_t{0};
  ChunkedColumn wide;
  wide.append_chunk(values.data(), values.size(), 1);
  CHECK(wide[5] == ~std::uint64_t{0});
  CHECK(wide[6] == values[6]);
}

TEST_CASE("rows of any number of columns are encoded, whatever the size of their values",
          "[v8][heapsnapshot]") {
  for (const std::size_t columns : {1U, 3U, 16U, 17U, 40U}) {
    for (const std::size_t rows : {std::size_t{1}, std::size_t{63}, std::size_t{300}, chunk_rows}) {
      const auto value_of = [&](std::size_t row, std::size_t column) {
        const auto shift = static_cast<unsigned>(column * 7 % 60);
        return column % 5 == 0 ? std::uint64_t{column} : (std::uint64_t{row * row} << shift) + column;
      };
      std::vector<std::uint64_t> values;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) values.push_back(value_of(row, column));
      }
      Table table;
      table.reset(columns);
      table.append_chunk(values);
      REQUIRE(table.row_count() == rows);
      bool is_same = true;
      for (std::size_t column = 0; column < columns; ++column) {
        std::array<std::uint32_t, chunk_rows> low{};
        CHECK(table.columns[column].decode_chunk(0, low) == rows);
        for (std::size_t row = 0; row < rows; ++row) {
          is_same = is_same && table.columns[column][row] == value_of(row, column) &&
                    low[row] == static_cast<std::uint32_t>(value_of(row, column));
        }
      }
      CHECK(is_same);
    }
  }
}

TEST_CASE("a number at the very end of the file may have been longer", "[v8][heapsnapshot]") {
  const std::string text = R"j({"snapshot":{"meta":{"node_fields":["id"]}},"nodes":[7,1,95)j";
  CHECK(tests::read_snapshot(text).snapshot.table(Section::nodes).is_last_open);
  CHECK(tests::read_snapshot(text + "x").snapshot.table(Section::nodes).is_last_open);
  for (const char* end : {",", " ", "\n,", "]", ",x"}) {
    const auto reading = tests::read_snapshot(text + end);
    CHECK(reading.snapshot.table(Section::nodes).row_count() == 3);
    CHECK_FALSE(reading.snapshot.table(Section::nodes).is_last_open);
  }
}

TEST_CASE("the indices of values that are not integers are kept", "[v8][heapsnapshot]") {
  const std::string text =
      R"j({"snapshot":{"meta":{"node_fields":["id","type"]}},"nodes":[7,"a",-9,4,5,1.5]})j";
  CHECK(tests::read_snapshot(text).snapshot.table(Section::nodes).wrong ==
        std::vector<std::uint64_t>{1, 2, 5});
}

TEST_CASE("a row of a truncated trace tree is complete once its children begin", "[v8][heapsnapshot]") {
  const std::string text = R"j({"snapshot":{},"trace_tree":[1,0,2,3,[2,1,4,5)j";
  CHECK(tests::read_snapshot(text + ",").snapshot.trace_tree.whole_rows == 1);
  CHECK(tests::read_snapshot(text + ",[").snapshot.trace_tree.whole_rows == 2);
  CHECK(tests::read_snapshot(text + ",[]").snapshot.trace_tree.whole_rows == 2);
  CHECK(tests::read_snapshot(text + ",[],3,").snapshot.trace_tree.whole_rows == 2);
  CHECK(tests::read_snapshot(text + ",[]]]").snapshot.trace_tree.whole_rows == 2);
}

TEST_CASE("columns of a trace tree may follow the children", "[v8][heapsnapshot]") {
  const std::string meta = R"j("trace_node_fields":["id","children","function_info_index","count","size"])j";
  const auto reading = tests::read_snapshot(R"j({"snapshot":{"meta":{)j" + meta +
                                            R"j(}},"trace_tree":[1,[2,[],6,7,70,3,[],8,9,90],0,1,10]})j");
  const TraceTree& tree = reading.snapshot.trace_tree;
  CHECK(tree.is_whole());
  CHECK(tree.function_info_index == std::vector<std::uint64_t>{0, 6, 8});
  CHECK(tree.count == std::vector<std::uint64_t>{1, 7, 9});
  CHECK(tree.size == std::vector<std::uint64_t>{10, 70, 90});
}

TEST_CASE("numbers collected for rows of many columns count towards the memory limit", "[v8][heapsnapshot]") {
  std::string header = R"j("snapshot":{"meta":{"node_fields":["")j";
  for (int i = 1; i < 1000; ++i) header += ",\"\"";
  header += "]}}";
  std::string nodes = "\"nodes\":[0";
  for (int i = 1; i < 200'000; ++i) nodes += ",0";
  nodes += "]";
  for (const std::string& text : {"{" + header + "," + nodes + "}", "{" + nodes + "," + header + "}"}) {
    Limits limits;
    limits.max_memory = 1'000'000;
    CHECK(has_rule(tests::read_snapshot(text, limits), "limit.memory"));
    limits.max_memory = 10'000'000;
    CHECK(tests::read_snapshot(text, limits).snapshot.table(Section::nodes).row_count() == 200);
  }
}

TEST_CASE("unknown members count towards the memory limit if their offsets are kept", "[v8][heapsnapshot]") {
  std::string text = R"j({"snapshot":{})j";
  for (int i = 0; i < 1000; ++i) text += ",\"\":0";
  text += "}";
  Limits limits;
  limits.max_memory = 10'000;
  for (const bool with_text : {false, true}) {
    core::MemorySource source(core::as_bytes(text));
    core::Window window(source);
    validation::Collector collector(1000);
    const Snapshot snapshot = read_snapshot(window, limits, collector, with_text);
    CHECK(snapshot.is_whole != with_text);
    CHECK(has_rule({{}, collector.take_findings()}, "limit.memory") == with_text);
  }
}

TEST_CASE("strings may be as long as memory allows, but names elsewhere may not", "[v8][heapsnapshot]") {
  const Limits usual;
  const std::string longer(usual.max_json_text + 1, 'x');
  const auto long_string =
      tests::read_snapshot(make_snapshot("1,1,1,0,0", "", "\"\",\"" + longer + "\",\"\\n" + longer + "\""));
  CHECK(long_string.findings.empty());
  CHECK(long_string.snapshot.strings.table.count() == 3);
  CHECK(long_string.snapshot.strings.table[2].size() == longer.size() + 2);
  const auto long_key = tests::read_snapshot("{\"" + longer + "\":1}");
  CHECK(has_rule(long_key, "limit.json-text"));
  Limits small;
  small.max_memory = longer.size() / 2;
  const auto too_long = tests::read_snapshot(make_snapshot("1,1,1,0,0", "", "\"" + longer + "\""), small);
  CHECK(has_rule(too_long, "limit.json-text"));
}
