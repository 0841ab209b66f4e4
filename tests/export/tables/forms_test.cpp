#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/form.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/sqlite.hpp"
#include "export/tables/tables.hpp"
#include "export/writers.hpp"
#include "formats/core/output/csv.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/export.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::exports::tables;
using namespace heapcheck::tests;

namespace {

constexpr Column columns[] = {{"number", ColumnType::integer},
                              {"name", ColumnType::text},
                              {"line", ColumnType::integer, true},
                              {"file", ColumnType::text, true}};
constexpr Table table{"nodes", columns};

/// Writes rows with one name each; in every second row, the line and the file are missing.
Counts write_names(TableWriter& writer, const std::vector<std::string>& names) {
  RowBuffer rows(table, writer);
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    rows.add(i).add(names[i]).add_or_skip(i % 2 == 0, 10 * i).add_or_skip(i % 2 == 0, "");
    rows.end_row();
  }
  const auto counts = rows.finish();
  REQUIRE(counts);
  REQUIRE(writer.finish());
  return *counts;
}

std::string write_text(exports::OpenTable open, const std::vector<std::string>& names) {
  core::MemorySink sink;
  write_names(*open(table, sink), names);
  return {sink.bytes().begin(), sink.bytes().end()};
}

std::string make_field(std::string_view text) {
  std::string field;
  core::append_csv_field(text, field);
  return field;
}

}  // namespace

TEST_CASE("a field of CSV keeps its text, and is no formula", "[export]") {
  CHECK(make_field("Foo::Bar") == "Foo::Bar");
  CHECK(make_field("") == R"("")");
  CHECK(make_field("a,b") == R"("a,b")");
  CHECK(make_field("say \"hi\"\n") == "\"say \"\"hi\"\"\n\"");
  CHECK(make_field("=1+1") == "'=1+1");
  CHECK(make_field("+1") == "'+1");
  CHECK(make_field("-1") == "'-1");
  CHECK(make_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(make_field("\t=1") == "'\t=1");
  CHECK(make_field("\n=1") == "\"'\n=1\"");
  CHECK(make_field("'quoted'") == "''quoted'");
  CHECK(make_field("=A(\"x\",1)") == "\"'=A(\"\"x\"\",1)\"");
}

TEST_CASE("CSV tells a missing value from an empty text", "[export]") {
  CHECK(write_text(open_csv, {"a", "b"}) == "number,name,line,file\n0,a,0,\"\"\n1,b,,\n");
}

TEST_CASE("NDJSON leaves out missing values", "[export]") {
  CHECK(write_text(open_ndjson, {"a\n", "b"}) ==
        "{\"number\":0,\"name\":\"a\\n\",\"line\":0,\"file\":\"\"}\n{\"number\":1,\"name\":\"b\"}\n");
}

TEST_CASE("bytes that are not UTF-8 and numbers that are too large are replaced and counted", "[export]") {
  core::MemorySink sink;
  const auto writer = open_csv(table, sink);
  RowBuffer rows(table, *writer);
  rows.add(UINT64_MAX)
      .add(
          "\xff"
          "a")
      .skip()
      .skip()
      .end_row();
  const auto counts = rows.finish();
  REQUIRE(counts);
  CHECK(counts->rows == 1);
  CHECK(counts->repaired == 1);
  CHECK(counts->limited == 1);
  REQUIRE(writer->finish());
  CHECK(std::string(sink.bytes().begin(), sink.bytes().end()) ==
        "number,name,line,file\n9223372036854775807,\uFFFDa,,\n");
}

TEST_CASE("a text that is not UTF-8 is repaired once, and counted in each row", "[export]") {
  class AddressWriter final : public TableWriter {
   public:
    Result<void> add(const Rows& rows) override {
      for (const std::string_view text : rows.columns[1].texts) addresses.insert(text.data());
      return {};
    }
    Result<void> finish() override { return {}; }
    std::set<const char*> addresses;
  };
  const std::string text = "name of a type \xff";
  AddressWriter writer;
  RowBuffer rows(table, writer);
  for (std::size_t i = 0; i < 2 * most_rows; ++i) rows.add(i).add(text).skip().skip().end_row();
  const auto counts = rows.finish();
  REQUIRE(counts);
  CHECK(counts->repaired == 2 * most_rows);
  CHECK(writer.addresses.size() == 1);
}

TEST_CASE("the parts of a table are all of it", "[export]") {
  for (const std::uint64_t count : {0U, 1U, 7U, 100U}) {
    for (const std::uint64_t parts : {1U, 2U, 3U, 8U}) {
      std::uint64_t next = 0;
      for (std::uint64_t number = 1; number <= parts; ++number) {
        const Part part{number, parts};
        CHECK(part.begin(count) == next);
        next = part.end(count);
        CHECK(next - part.begin(count) <= count / parts + 1);
      }
      CHECK(next == count);
    }
  }
  CHECK(Part{UINT64_MAX, UINT64_MAX}.end(UINT64_MAX) == UINT64_MAX);
}

TEST_CASE("the root has no dominator, and a node that cannot be reached no distance", "[export]") {
  Graph graph;
  graph.node_kinds = {{.name = "object"}};
  graph.edge_kinds = {{.name = "edge"}};
  graph.node_kind = {0, 0, 0};
  graph.node_name.assign(3, graph.texts.add("A"));
  graph.node_size = {1, 8, 4};
  graph.node_id = {0, 1, 2};
  graph.first_edge = {0, 1, 1, 1};
  graph.edge_kind = {0};
  graph.edge_name = {graph.node_name[0]};
  graph.edge_target = {1};
  const analyze::Retention retention = analyze::find_retention(graph);
  const auto nodes = std::ranges::find(all_graph_tables(), std::string_view("nodes"),
                                       [](const GraphTable& each) { return each.table.name; });
  core::MemorySink sink;
  const auto writer = open_csv(nodes->table, sink);
  RowBuffer rows(nodes->table, *writer);
  const exports::GraphInput input{
      .file = "a", .format = Format::mvmheap_v3, .snapshot = 5, .graph = graph, .retention = retention};
  REQUIRE(nodes->write(input, {}, rows));
  REQUIRE(writer->finish());
  // The first columns, up to the dominator and the distance.
  const std::string text(sink.bytes().begin(), sink.bytes().end());
  CHECK(text.contains("\n5,0,0,object,A,A,,1,9,,0,"));
  CHECK(text.contains("\n5,1,1,object,A,A,,8,8,0,1,"));
  CHECK(text.contains("\n5,2,2,object,A,A,,4,0,,,"));
}

TEST_CASE("the file of a table never replaces the input", "[export]") {
  const Scratch scratch;
  const std::string bytes = read(root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap");
  const auto dump = open(scratch.file("x-nodes.csv", bytes));
  REQUIRE(dump);
  const auto done = export_dump(*dump, scratch.path("x.csv"), ExportForm::csv);
  REQUIRE(!done);
  CHECK(done.error().kind == ErrorKind::unwritable);
  CHECK(read(scratch.path("x-nodes.csv")) == bytes);
}

TEST_CASE("a full disk is an error of the database", "[export]") {
  const auto database = SqliteDatabase::open("/dev/full");
  REQUIRE(!database);
  CHECK(database.error().kind == ErrorKind::unwritable);
}

TEST_CASE("a part that a table does not have is an error of the export", "[export]") {
  const auto dump = open((root / "corpus/mvmheap/v3/seed/minimal.mvmheap").string());
  REQUIRE(dump);
  const Scratch scratch;
  const std::string out = (scratch.path() / "x.csv").string();
  for (const auto& [part, count] : {std::pair(1U, 0U), std::pair(0U, 2U), std::pair(3U, 2U)}) {
    const auto done = export_dump(*dump, out, ExportForm::csv, {.part = part, .part_count = count});
    REQUIRE(!done);
    CHECK(done.error().kind == ErrorKind::unsupported);
  }
  CHECK(fs::is_empty(scratch.path()));
}

TEST_CASE("the stacks of a timeline are a table, to which its nodes refer", "[export]") {
  const Scratch scratch;
  const auto dump = open((root / "corpus/v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline").string());
  REQUIRE(dump);
  const auto write = [&](const char* name) {
    REQUIRE(export_dump(*dump, scratch.path("x.csv"), ExportForm::csv, {.table = name}));
    return read(scratch.path("x.csv"));
  };
  const std::string stacks = write("stacks");
  CHECK(
      stacks.starts_with("snapshot,stack,caller,depth,frame,script,line,column_number,size,cumulative,object_"
                         "count,allocated_size,"
                         "allocated_count\n0,0,,0,(root),,,,"));
  const auto graph = (*dump->snapshots().begin()).graph();
  REQUIRE(graph);
  const std::string nodes = write("nodes");
  const std::string header = nodes.substr(0, nodes.find('\n'));
  REQUIRE(header.contains(",stack,"));
  const auto later_columns = std::ranges::count(header.substr(header.find(",stack,") + 1), ',');
  for (std::uint32_t node = 0; node < graph->node_count(); ++node) {
    if (graph->node_stack[node] == Graph::no_stack) continue;
    const std::string start = "\n0," + std::to_string(node) + ",";
    const std::size_t row = nodes.find(start);
    REQUIRE(row != std::string::npos);
    std::string text = nodes.substr(row + 1, nodes.find('\n', row + 1) - row - 1);
    for (auto i = later_columns; i != 0; --i) text.resize(text.rfind(','));
    CHECK(text.ends_with("," + std::to_string(graph->node_stack[node])));
    break;  // the first one is enough: the column is filled in a loop
  }
}

TEST_CASE("a stack that allocated what is no longer alive has no size", "[export]") {
  AllocationProfile profile;
  profile.frames = {{.name = profile.texts.add("(root)")}, {.name = profile.texts.add("f")}};
  profile.caller = {0, 0, 1};
  profile.frame = {0, 1, 1};
  profile.allocated_size = {0, 64, 32};
  profile.allocated_count = {0, 4, 2};
  profile.place = {1};
  profile.size = {16};
  profile.count = {1};
  core::MemorySink sink;
  constexpr Table stacks{"stacks", stack_columns};
  const auto writer = open_csv(stacks, sink);
  RowBuffer rows(stacks, *writer);
  REQUIRE(write_stack_rows(0, profile, {}, rows));
  REQUIRE(writer->finish());
  const std::string text(sink.bytes().begin(), sink.bytes().end());
  CHECK(
      text.ends_with("\n0,0,,0,(root),,,,0,16,0,0,0\n0,1,0,1,f,,,,16,16,1,64,4\n0,2,1,2,f,,,,0,0,0,32,2\n"));
}
