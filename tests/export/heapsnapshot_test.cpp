// Tests that a MoarVM heap becomes a heap snapshot that DevTools and memlab can read and that describes the
// same heap as the dump.
#include "export/writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "export/heapsnapshot/names.hpp"
#include "export/heapsnapshot/stable_ids.hpp"
#include "heapcheck/export.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
namespace exported = heapcheck::exports::heapsnapshot;

namespace {

const char* const dumps[] = {
    "mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/moar-2017.10-small.mvmheap",
    "mvmheap/v2/seed/moar-2018.03-quirky-names.mvmheap", "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap"};

Dump open_corpus(const std::string& name) {
  auto dump = open((root / "corpus" / name).string());
  REQUIRE(dump);
  return *dump;
}

/// A graph of a root and nodes with these names and sizes, each with an edge from the node before it.
Graph make_chain(const std::vector<std::string>& names, std::uint64_t size) {
  Graph graph;
  graph.node_kinds = {{.name = "root", .group = NodeGroup::root},
                      {.name = "object", .group = NodeGroup::object}};
  graph.edge_kinds = {{.name = "name"}};
  for (std::size_t i = 0; i <= names.size(); ++i) {
    graph.node_kind.push_back(i == 0 ? 0 : 1);
    graph.node_name.push_back(graph.texts.add(i == 0 ? "root" : names[i - 1]));
    graph.node_size.push_back(i == 0 ? 0 : size);
    graph.node_id.push_back(i);
    graph.first_edge.push_back(i);
    if (i == names.size()) break;
    graph.edge_kind.push_back(0);
    graph.edge_name.push_back(graph.node_name[0]);
    graph.edge_target.push_back(static_cast<std::uint32_t>(i + 1));
  }
  graph.first_edge.push_back(names.size());
  return graph;
}

struct Trial {
  Result<exports::Written> written;
  std::vector<std::uint8_t> bytes;
};

Trial write(const Graph& graph, Format format = Format::mvmheap_v3) {
  core::MemorySink sink;
  const analyze::Retention retention = analyze::find_retention(graph);
  auto written = exported::write_heapsnapshot(
      {.file = "a", .format = format, .snapshot = 0, .graph = graph, .retention = retention}, sink);
  return {std::move(written), sink.bytes()};
}

Graph read_back(const std::vector<std::uint8_t>& bytes) {
  const auto dump = open_bytes(bytes);
  REQUIRE(dump);
  auto graph = dump->snapshot(0)->graph();
  REQUIRE(graph);
  return *graph;
}

std::vector<std::string_view> names_of(const Graph& graph) {
  std::vector<std::string_view> names;
  for (const Node node : graph.nodes()) names.push_back(node.name());
  return names;
}

void check_same(const Graph& dump, const Graph& snapshot) {
  CHECK(snapshot.node_size == dump.node_size);
  CHECK(snapshot.edge_target == dump.edge_target);
  CHECK(snapshot.first_edge == dump.first_edge);
  std::vector<std::string> expected;
  for (const Node node : dump.nodes()) expected.push_back(exported::make_node_name(node.name()));
  const auto names = names_of(snapshot);
  CHECK(std::ranges::equal(names, expected));
  for (std::uint64_t i = 0; i < dump.edge_count(); ++i) {
    const Edge ours(dump, i);
    const Edge theirs(snapshot, i);
    REQUIRE(theirs.kind().name == (ours.kind().has_index ? "element"
                                   : ours.name().empty() ? "internal"
                                                         : "property"));
    REQUIRE(theirs.name() == ours.name());
    if (ours.kind().has_index) REQUIRE(theirs.number() == ours.number());
  }
}

}  // namespace

TEST_CASE("every snapshot of a MoarVM dump becomes one that DevTools and memlab read", "[export]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out.heapsnapshot").string();
  for (const std::string name : dumps) {
    const Dump dump = open_corpus(name);
    for (const Snapshot& snapshot : dump.snapshots()) {
      INFO(name << " " << snapshot.index());
      const auto done = export_dump(dump, out, ExportForm::heapsnapshot, {.snapshot = snapshot.index()});
      REQUIRE(done);
      CHECK(done->losses.empty());
      for (const std::string reader : {"devtools", "memlab"}) {
        const Report report = validate(out, {.reader = reader});
        CHECK(report.verdict == Verdict::valid);
        CHECK(report.count(Severity::warning) == 0);
      }
      const auto back = open(out)->snapshot(0)->graph();
      REQUIRE(back);
      const Graph graph = *snapshot.graph();
      check_same(graph, *back);
      const Heap ours(graph);
      const Heap theirs(*back);
      CHECK(std::ranges::equal(ours.retained_sizes(), theirs.retained_sizes()));
      CHECK(ours.path_to(graph.node_count() - 1) == theirs.path_to(graph.node_count() - 1));
    }
  }
}

TEST_CASE("the same snapshot is always written as the same bytes", "[export]") {
  const Graph graph = *open_corpus(dumps[3]).snapshot(0)->graph();
  CHECK(write(graph).bytes == write(graph).bytes);
}

TEST_CASE("the ids of nodes are different, and stable from snapshot to snapshot", "[export]") {
  const Dump dump = open_corpus(dumps[1]);
  const Graph first = *dump.snapshot(0)->graph();
  const Graph last = *dump.snapshot(2)->graph();
  const auto first_ids = exported::make_stable_ids(first);
  const auto last_ids = exported::make_stable_ids(last);
  CHECK(first_ids[0] == 1);
  CHECK(std::set(first_ids.begin(), first_ids.end()).size() == first_ids.size());
  CHECK(std::ranges::all_of(first_ids, [](std::uint32_t id) { return id % 2 == 1; }));
  // For each type, the number of nodes that keep their ids is the smaller of the two counts.
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> counts;
  for (const Node node : first.nodes()) ++counts[node.kind().name + " " + std::string(node.name())].first;
  for (const Node node : last.nodes()) ++counts[node.kind().name + " " + std::string(node.name())].second;
  std::uint64_t expected = 0;
  for (const auto& [name, count] : counts) expected += std::min(count.first, count.second);
  const std::set known(first_ids.begin(), first_ids.end());
  const auto same = std::ranges::count_if(last_ids, [&](std::uint32_t id) { return known.contains(id); });
  CHECK(static_cast<std::uint64_t>(same) == expected);
  CHECK(expected > 600);
}

TEST_CASE("frames and code objects have their files and lines", "[export]") {
  const Graph graph = *open_corpus(dumps[3]).snapshot(0)->graph();
  REQUIRE(!graph.source_places.empty());
  const auto has_place = [](const Node& node) { return node.place() != nullptr; };
  const auto is_frame = [](const Node& node) { return node.kind().group == NodeGroup::frame; };
  const auto with_place = [&](bool of_frames) {
    return std::ranges::count_if(
        graph.nodes(), [&](const Node& node) { return is_frame(node) == of_frames && has_place(node); });
  };
  CHECK(with_place(true) > 800);
  CHECK(with_place(false) > 300);
  const auto bytes = write(graph).bytes;
  const std::string text(bytes.begin(), bytes.end());
  const SourcePlace& place = graph.source_places[graph.node_places.front().place];
  const std::size_t at = text.find("\"locations\":[");
  REQUIRE(at != std::string::npos);
  CHECK(text.substr(at + 13).starts_with(fmt::format("{},", graph.node_places.front().node * 6)));
  CHECK(text.find("\"" + std::string(graph.texts[place.file]) + "\"") != std::string::npos);
}

TEST_CASE("names that DevTools would change are put in brackets", "[export]") {
  const std::vector<std::string> names = {"Object",  "<anon Foo>", "Detached <a b>", "<anon>",
                                          "Objects", "",           "[Object]"};
  const Graph back = read_back(write(make_chain(names, 8)).bytes);
  CHECK(names_of(back) == std::vector<std::string_view>{"root", "[Object]", "[<anon Foo>]",
                                                        "[Detached <a b>]", "<anon>", "Objects", "",
                                                        "[Object]"});
}

TEST_CASE("hostile and long names do not harm the file", "[export]") {
  const std::string hostile = "a\"b\\\n\x01\x7f\xff</script>\xE2\x80\xAE,]}";
  const std::string longest = "x" + std::string(1025, 'y') + "\xC3\xA4";
  const std::string letters = std::string(1023, 'z') + "\xC3\xA4";
  const Trial trial = write(make_chain({hostile, longest, letters}, 8));
  REQUIRE(trial.written);
  REQUIRE(trial.written->losses.size() == 1);
  CHECK(trial.written->losses[0].what == "names");
  CHECK(trial.written->losses[0].count == 2);
  const auto dump = open_bytes(trial.bytes);
  CHECK(validate(*dump).verdict == Verdict::valid);
  const Graph back = read_back(trial.bytes);
  CHECK(back.node(1).name() == "a\"b\\\n\x01\x7f\xEF\xBF\xBD</script>\xE2\x80\xAE,]}");
  CHECK(back.node(2).name() == longest.substr(0, 1024));
  CHECK(back.node(3).name() == std::string(1023, 'z'));
}

TEST_CASE("sizes that DevTools cannot show are a loss", "[export]") {
  const Trial fits = write(make_chain({"a"}, UINT32_MAX));
  CHECK(fits.written->losses.empty());
  const Trial wide = write(make_chain({"a", "b"}, std::uint64_t{UINT32_MAX} + 1));
  REQUIRE(wide.written->losses.size() == 1);
  CHECK(wide.written->losses[0].what == "self sizes");
  CHECK(wide.written->losses[0].count == 2);
}

TEST_CASE("only MoarVM dumps become heap snapshots", "[export]") {
  const Graph graph = make_chain({"a"}, 1);
  CHECK(write(graph, Format::v8_heapsnapshot).written.error().message.find("convert --to heapsnapshot") !=
        std::string::npos);
  CHECK(write(graph, Format::v8_heapprofile).written.error().kind == ErrorKind::unsupported);
}

TEST_CASE("a root with more references than nodes, with which DevTools fails, is refused", "[export]") {
  Graph graph = make_chain({"a"}, 8);
  graph.edge_kind.assign(3, 0);
  graph.edge_name.assign(3, graph.edge_name[0]);
  graph.edge_target.assign(3, 1);
  const auto write = [&graph](std::uint64_t root_edges) {
    graph.first_edge = {0, root_edges, 3};
    core::MemorySink sink;
    return exported::write_heapsnapshot({.file = {},
                                         .format = Format::mvmheap_v3,
                                         .snapshot = 0,
                                         .graph = graph,
                                         .retention = analyze::find_retention(graph)},
                                        sink);
  };
  CHECK(write(2));
  const auto refused = write(3);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
}
