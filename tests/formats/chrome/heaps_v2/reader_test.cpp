#include "formats/chrome/heaps_v2/reader.hpp"

#include "tests/support/heaps_v2_trace.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::heaps_v2;

namespace {

/// An object with this allocator and matching maps.
std::string with_allocator(const std::string& allocator) {
  return R"({"version":1,"allocators":{"malloc":)" + allocator +
         R"(},"maps":{"nodes":[{"id":1,"name_sid":1}],"types":[{"id":0,"name_sid":1}],)" +
         R"("strings":[{"id":1,"string":"a"}]}})";
}

std::string with_maps(const std::string& maps) { return R"({"version":1,"maps":)" + maps + "}"; }

bool same_columns(const Dump& a, const Dump& b) {
  if (a.heaps.size() != b.heaps.size()) return false;
  for (std::size_t i = 0; i < a.heaps.size(); ++i) {
    for (std::size_t column = 0; column < column_count; ++column) {
      if (a.heaps[i].columns[column].values != b.heaps[i].columns[column].values) return false;
    }
  }
  return a.nodes.id == b.nodes.id && a.nodes.name_sid == b.nodes.name_sid &&
         a.nodes.parent == b.nodes.parent && a.types.id == b.types.id &&
         a.types.name_sid == b.types.name_sid && a.strings.id == b.strings.id &&
         a.strings.text == b.strings.text && a.nodes.text == b.nodes.text;
}

}  // namespace

TEST_CASE("columns and maps from Chrome 120 are read", "[heaps_v2]") {
  const Reading reading = read_trace(read_sample("chrome-120-small.json"));
  CHECK(reading.found.findings.empty());
  REQUIRE(reading.model.dumps.size() == 2);
  const Dump& dump = reading.model.dumps[0];
  CHECK(dump.head.id == "0x3");
  CHECK(dump.head.pid == 18958);
  CHECK(dump.version == 1);
  REQUIRE(dump.heaps.size() == 1);
  CHECK(dump.heaps[0].allocator == "malloc");
  CHECK(dump.heaps[0][HeapColumn::nodes].values ==
        Numbers{64, 122, 188, 250, 316, 382, 444, 496, 552, 596, 652, 708});
  CHECK(dump.heaps[0][HeapColumn::counts].values[0] == 6452);
  CHECK(dump.heaps[0][HeapColumn::sizes].values[6] == 1200000);
  CHECK(dump.heaps[0][HeapColumn::types].values[11] == 1);
  CHECK(dump.nodes.id.size() == 171);
  CHECK(dump.nodes.parent[0] == no_id);
  CHECK(dump.nodes.parent[1] == 6);
  CHECK(dump.types.id == Numbers{0, 1, 2, 3});
  CHECK(reading.model.strings[dump.strings.text[0]] == "pc:556e8ed9705e");
  CHECK(reading.model.dumps[1].heaps.empty());
  CHECK(reading.model.dumps[1].strings.id == Numbers{709});
}

TEST_CASE("an allocator's total is read from the same event", "[heaps_v2]") {
  const Reading reading = read_trace(read_sample("chrome-120-small.json"));
  const auto& totals = reading.model.dumps[0].totals;
  REQUIRE(totals.size() == 2);
  CHECK(totals[0].allocator == "malloc");
  CHECK(totals[0].size == 4400000);
  CHECK(totals[0].objects_size == 4400000);
  CHECK(totals[1].allocator == "partition_alloc");
}

TEST_CASE("the model does not depend on how the input arrives", "[heaps_v2]") {
  for (const std::string& name : samples) {
    const std::string text = read_sample(name);
    const Reading whole = read_trace(text);
    for (const std::size_t chunk : {1U, 7U, 61U}) {
      INFO(name << " in pieces of " << chunk);
      const Reading pieces = read_trace(text, chunk);
      CHECK(pieces.found.ids() == whole.found.ids());
      REQUIRE(pieces.model.dumps.size() == whole.model.dumps.size());
      for (std::size_t i = 0; i < whole.model.dumps.size(); ++i) {
        CHECK(same_columns(pieces.model.dumps[i], whole.model.dumps[i]));
      }
    }
  }
}

TEST_CASE("rows of maps mean the same in any form of JSON", "[heaps_v2]") {
  const std::string usual = R"({"nodes":[{"id":6,"name_sid":5},{"id":8,"name_sid":7,"parent":6}]})";
  const std::string other =
      R"({ "nodes" : [ {"x":[1,{}], "name_sid":5, "id" :6 } , {"parent": 6, "id":8,"name_sid":7} ] })";
  CHECK(same_columns(read_object(with_maps(usual)).model.dumps[0],
                     read_object(with_maps(other)).model.dumps[0]));
  const std::string texts = R"({"strings":[{"id":1,"string":"\u0061\"é"},{"string":"","id":12345678901}]})";
  const Reading reading = read_object(with_maps(texts));
  CHECK(reading.model.dumps[0].strings.id == Numbers{1, 12345678901});
  CHECK(reading.model.strings[reading.model.dumps[0].strings.text[0]] == "a\"\u00e9");
}

TEST_CASE("a value of the wrong type is reported at its location", "[heaps_v2]") {
  struct Case {
    std::string object;
    std::string rule;
    std::string path;
  };
  const std::vector<Case> cases{
      {"[]", "heaps2.value.type", ""},
      {R"({"version":"1"})", "heaps2.value.type", "/version"},
      {R"({"version":1,"allocators":[]})", "heaps2.value.type", "/allocators"},
      {with_allocator("7"), "heaps2.value.type", "/allocators/malloc"},
      {with_allocator(R"({"nodes":{}})"), "heaps2.value.type", "/allocators/malloc/nodes"},
      {with_allocator(R"({"sizes":[1,2,"3"]})"), "heaps2.value.type", "/allocators/malloc/sizes/2"},
      {with_allocator(R"({"sizes":[1,-2]})"), "heaps2.value.integer", "/allocators/malloc/sizes/1"},
      {with_allocator(R"({"counts":[18446744073709551616]})"), "heaps2.value.integer",
       "/allocators/malloc/counts/0"},
      {with_allocator(R"({"types":[0.5]})"), "heaps2.value.integer", "/allocators/malloc/types/0"},
      {with_allocator(R"({"sizes":[1,2e2]})"), "heaps2.value.fraction", "/allocators/malloc/sizes/1"},
      {with_allocator(R"({"sizes":[1],"sizes":[2]})"), "json.object.duplicate-key",
       "/allocators/malloc/sizes"},
      {with_maps("[]"), "heaps2.value.type", "/maps"},
      {with_maps(R"({"nodes":[{"id":1,"name_sid":2},7]})"), "heaps2.value.type", "/maps/nodes/1"},
      {with_maps(R"({"nodes":[{"name_sid":2}]})"), "heaps2.maps.member", "/maps/nodes/0"},
      {with_maps(R"({"types":[{"id":2}]})"), "heaps2.maps.member", "/maps/types/0"},
      {with_maps(R"({"strings":[{"id":2,"string":7}]})"), "heaps2.value.type", "/maps/strings/0/string"},
      {with_maps(R"({"strings":[{"id":2,"id":2,"string":""}]})"), "json.object.duplicate-key",
       "/maps/strings/0/id"},
  };
  for (const Case& one : cases) {
    INFO(one.object);
    const Reading reading = read_object(one.object);
    CHECK(reading.found.ids() == Ids{one.rule});
    REQUIRE(!reading.found.findings.empty());
    CHECK(reading.found.findings[0].location.path == "/0/args/dumps/heaps_v2" + one.path);
  }
}

TEST_CASE("the rows after a broken element keep their numbers", "[heaps_v2]") {
  const Reading reading = read_object(with_allocator(R"({"nodes":[1,2,"x",4],"sizes":[1,2,3,4]})"));
  const Heap& heap = reading.model.dumps[0].heaps[0];
  CHECK_FALSE(heap.is_whole);
  CHECK(heap[HeapColumn::nodes].values == Numbers{1, 2, 0, 4});
  const Reading maps =
      read_object(with_maps(R"({"nodes":[{"id":1,"name_sid":2},{},{"id":3,"name_sid":2}]})"));
  CHECK_FALSE(maps.model.dumps[0].nodes.is_whole);
  CHECK(maps.model.dumps[0].nodes.id == Numbers{1, no_id, 3});
}

TEST_CASE("the location of an element is the run that holds it", "[heaps_v2]") {
  std::string sizes = "[0";
  for (int i = 1; i < 1000; ++i) sizes += "," + std::to_string(i);
  const std::string text = make_trace({with_allocator(R"({"sizes":)" + sizes + "]}")});
  const Reading reading = read_trace(text);
  const NumberColumn& column = reading.model.dumps[0].heaps[0][HeapColumn::sizes];
  REQUIRE(column.values.size() == 1000);
  CHECK(text.substr(column.span.offset, column.span.length) == sizes + "]");
  for (std::uint64_t row = 0; row < 1000; ++row) {
    const Span run = column.runs.find(row);
    CHECK(run.length < 64 * 5);
    const std::string near = "," + text.substr(run.offset, run.length) + ",";
    CHECK(near.find("," + std::to_string(row) + ",") != std::string::npos);
  }
}

TEST_CASE("forms that only other tools read get a note", "[heaps_v2]") {
  const Reading reading = read_trace(read_sample("other-tools.json"));
  CHECK(reading.found.ids() == Ids{"heaps2.columns.renamed", "heaps2.maps.parent-id", "heaps2.rows.objects"});
  const Dump& renamed = reading.model.dumps[0];
  CHECK(renamed.heaps[0][HeapColumn::sizes].values == Numbers{8});
  CHECK(renamed.heaps[0][HeapColumn::counts].values == Numbers{1});
  CHECK(renamed.nodes.parent == Numbers{no_id, 1});
  const Dump& rows = reading.model.dumps[1];
  CHECK(rows.heaps[0][HeapColumn::nodes].values == Numbers{2, 1});
  CHECK(rows.heaps[0][HeapColumn::types].values == Numbers{1, 0});
  CHECK(rows.heaps[0][HeapColumn::counts].values == Numbers{4, 1});
  CHECK(rows.heaps[0][HeapColumn::sizes].values == Numbers{64, 5});
  CHECK(reading.model.strings[rows.nodes.text[1]] == "f");
}

TEST_CASE("other events and their data are not read as heaps", "[heaps_v2]") {
  const Reading reading =
      read_trace(R"([{"args":{"data":{"a":{"nodes":["x"]}}},"ph":"X","name":"Other","pid":1},)"
                 R"({"args":{"dumps":{"heaps_v2":{"allocators":7}}},"ph":"X","name":"Other","pid":1}])");
  REQUIRE(reading.found.findings.size() == 1);
  CHECK(reading.found.findings[0].rule->id == "trace.event.phase");
  CHECK(reading.model.dumps.empty());
}

TEST_CASE("reading stops at the memory limit with one finding", "[heaps_v2]") {
  std::string nodes = R"({"id":1,"name_sid":1})";
  std::string numbers = "1";
  for (int i = 0; i < 20000; ++i) nodes += R"(,{"id":1,"name_sid":1})";
  for (int i = 0; i < 100000; ++i) numbers += ",1";
  Limits limits;
  limits.max_memory = 1 << 20;
  for (const std::string& object :
       {with_maps(R"({"nodes":[)" + nodes + "]}"), with_allocator(R"({"nodes":[)" + numbers + "]}")}) {
    const Reading reading = read_trace(make_trace({object, object}), SIZE_MAX, limits);
    CHECK(reading.found.ids() == Ids{"limit.memory"});
  }
}

TEST_CASE("dumps that are read ahead keep their names", "[chrome][heaps_v2][threads]") {
  std::vector<std::string> objects;
  for (int i = 0; i < 8; ++i) {
    objects.push_back(fmt::format(
        R"({{"version":1,"maps":{{"strings":[{{"id":1,"string":"f{}"}},{{"id":2,"string":"f{}"}}],)"
        R"("nodes":[{{"id":1,"name_sid":2}},{{"id":2,"name_sid":1,"parent":1}}],"types":[{{"id":1,"name":"t{}"}}]}}}})",
        i, i * i % 5, i));
  }
  const std::string text = make_trace(objects);
  Limits limits;
  const std::string one_thread = write_trace(read_trace(text, SIZE_MAX, limits).model);
  CHECK(one_thread.contains("t7"));
  limits.max_threads = 3;
  const Reading several = read_trace(text, SIZE_MAX, limits);
  CHECK(several.ahead == 7);
  CHECK(write_trace(several.model) == one_thread);
}
