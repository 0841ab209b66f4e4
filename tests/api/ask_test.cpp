// Tests questions that are asked by name through the library.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "analyze/answers/question.hpp"
#include "cli/ask/node_commands.hpp"
#include "heapcheck/ask.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;

namespace {

const std::string snapshot_path = (tests::root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
const std::string profile_path = (tests::root / "corpus/v8/heapprofile/seed/small.heapprofile").string();
const std::string two_snapshots_path =
    (tests::root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();

/// A question, its options, and the same on the command line.
struct Case {
  std::string name;
  OptionValues options;
  std::string words;
  std::string path = snapshot_path;
};

const Case cases[] = {
    {"summary", {}, ""},
    {"suspects", {{"share", std::uint64_t{5}}}, "--share 5"},
    {"leaks", {{"share", std::uint64_t{5}}}, "--share 5"},
    {"top", {{"what", "objects"}, {"order", "by count"}}, "objects by count"},
    {"tree", {{"inverted", true}}, "--inverted", profile_path},
    {"find", {{"query", "strings size>100"}, {"limit", std::uint64_t{3}}}, "'strings size>100' --limit 3"},
    {"count", {{"query", std::vector<std::string>{"objects", "size>100"}}}, "objects 'size>100'"},
    {"show", {{"id", "row:1"}}, "row:1"},
    {"path", {{"id", "row:9"}, {"paths", std::uint64_t{2}}}, "row:9 --paths 2"},
    {"retainers", {{"id", "row:9"}}, "row:9"},
    {"retained", {{"limit", std::uint64_t{2000}}}, "--limit 2000"},
    {"dominators", {{"by-type", true}, {"limit", std::uint64_t{9}}}, "--by-type --limit 9"},
    {"unreachable", {}, ""},
    {"duplicates", {}, ""},
    {"diff", {{"snapshots", "0,1"}, {"by", "size"}}, "--snapshots 0,1 --by size", two_snapshots_path},
    {"growth", {}, "", two_snapshots_path},
    {"assert", {{"rule", "at-most 9999999 nodes"}}, "--rule 'at-most 9999999 nodes'"},
};

Dump open_dump(const std::string& path) {
  auto dump = open(path);
  REQUIRE(dump);
  return *dump;
}

LoadedHeap load_graph(const tests::EdgeLists& edges, const GraphColumn& sizes) {
  Graph graph = tests::make_graph_of(edges);
  graph.node_size = sizes;
  return {.heap = Heap(std::move(graph)), .format = Format::mvmheap_v3};
}

/// The ids of the first nodes of all suspects.
std::vector<std::uint64_t> find_suspects(const LoadedHeap& heap, const OptionValues& options) {
  const auto answer = ask(heap, "suspects", options);
  REQUIRE(answer);
  std::vector<std::uint64_t> ids;
  for (const auto& row : answer->table.rows)
    ids.push_back(std::get<std::vector<std::uint64_t>>(row[0]).front());
  return ids;
}

/// Nodes A and B, which are held by the root, hold node 3 through edges with names.
LoadedHeap load_named_graph() {
  Graph graph = tests::make_graph_of({{1, 2}, {3}, {3, 3}, {}});
  graph.node_name[1] = graph.texts.add("A");
  graph.node_name[2] = graph.texts.add("B");
  graph.edge_name[2] = graph.edge_name[3] = graph.edge_name[4] = graph.texts.add("item");
  return {.heap = Heap(std::move(graph)), .format = Format::mvmheap_v3};
}

/// The answer of `suspects` for three dumps, of which the first lacks a node that the last has.
std::string find_what_grew(bool is_in_second) {
  const auto make = [](bool has_node) {
    Graph graph = tests::make_graph_of({{1, 2, 3}, {}, {}, {}});
    graph.node_id = {1, 3, 5, has_node ? 7U : 9U};
    graph.node_size = {0, 10, 10, 100};
    return std::make_shared<const analyze::Heap>(std::move(graph));
  };
  const auto inquiry = analyze::answers::begin("suspects", {}, 3);
  REQUIRE(inquiry);
  for (const bool has_node : {false, is_in_second, true})
    REQUIRE(inquiry->maker->add(
        {.file = "a", .format = Format::v8_heapsnapshot, .snapshot = 0, .heap = make(has_node)}));
  return write_answer(*inquiry->finish(), AnswerForm::text);
}

std::string find_error(std::string_view question, const OptionValues& options = {}) {
  const auto made = Question::make(question, options);
  REQUIRE(!made);
  CHECK(made.error().kind == ErrorKind::unsupported);
  return made.error().message;
}

}  // namespace

TEST_CASE("the library answers every question as the program does", "[api][ask]") {
  for (const std::string_view name : all_questions())
    CHECK(std::ranges::count(cases, name, &Case::name) == 1);
  const Case& asked = cases[GENERATE(range(std::size_t{0}, std::size(cases)))];
  INFO(asked.name);
  const auto answer = ask(open_dump(asked.path), asked.name, asked.options);
  REQUIRE(answer);
  const auto printed =
      tests::run("heapcheck " + asked.name + " " + asked.path + " " + asked.words + " --output json");
  CHECK(printed.status == 0);
  CHECK(to_json(*answer) == printed.out);
}

TEST_CASE("a heap that is loaded once answers any number of questions", "[api][ask]") {
  const Dump dump = open_dump(snapshot_path);
  const LoadedHeap heap{.heap = Heap(*dump.snapshot(0)->graph()), .format = dump.format()};
  for (const std::string_view name : {"summary", "suspects", "retained", "duplicates"}) {
    const auto loaded = ask(heap, name);
    REQUIRE(loaded);
    CHECK(to_json(*loaded) == to_json(*ask(dump, name)));
  }
  CHECK(ask(heap, "growth").error().message == "growth compares several snapshots");
  CHECK(ask(heap, "tree").error().message.starts_with("has no allocation stacks; "));
}

TEST_CASE("heaps that are loaded once can be compared like their dumps", "[api][ask]") {
  // Of these snapshots, the second was taken before the first.
  const Dump dump = open_dump(two_snapshots_path);
  const auto load = [&](std::uint64_t index) {
    const Snapshot snapshot = *dump.snapshot(index);
    return LoadedHeap{.heap = Heap(*snapshot.graph()),
                      .format = dump.format(),
                      .snapshot = index,
                      .recording = snapshot.recording()};
  };
  const LoadedHeap last = load(1);
  CHECK(last.recording);
  for (const std::string_view name : {"suspects", "leaks", "diff"}) {
    INFO(name);
    auto of_dumps = *Question::make(name, {}, 2);
    auto of_heaps = *Question::make(name, {}, 2);
    for (int i = 0; i < 2; ++i) {
      REQUIRE(of_dumps.add("a", dump));
      REQUIRE(of_heaps.add("a", last));
    }
    CHECK(to_json(*of_heaps.finish()) == to_json(*of_dumps.finish()));
  }
  auto question = *Question::make("suspects", {}, 2);
  REQUIRE(question.add("a", last));
  REQUIRE(question.add("a", load(0)));
  CHECK(to_json(*question.finish()).contains(R"("doubt": "out of order")"));
  auto mixed = *Question::make("suspects", {}, 2);
  REQUIRE(mixed.add("a", last));
  CHECK(mixed.add("b", LoadedHeap{.heap = last.heap, .format = Format::v8_heapsnapshot}).error().kind ==
        ErrorKind::unsupported);
}

TEST_CASE("a question can be stopped at any point, and asked again", "[api][ask]") {
  const Dump dump = open_dump(snapshot_path);
  for (const std::string_view name : {"suspects", "leaks", "duplicates", "unreachable"}) {
    INFO(name);
    const std::string whole = to_json(*ask(dump, name));
    const LoadedHeap heap{.heap = Heap(*dump.snapshot(0)->graph()), .format = dump.format()};
    std::size_t calls = 0;
    for (std::size_t most = 0;; ++most, calls = 0) {
      REQUIRE(most < 1000);
      const StopScope scope([&] { return calls++ == most; });
      const auto answer = ask(heap, name);
      if (answer) {
        CHECK(most > 0);
        CHECK(to_json(*answer) == whole);
        break;
      }
      CHECK(answer.error().kind == ErrorKind::timeout);
    }
  }
}

TEST_CASE("what cannot fail is not stopped", "[api][ask]") {
  const LoadedHeap heap = load_named_graph();
  const StopScope scope([] { return true; });
  CHECK(heap.heap.retained_sizes().size() == 4);
  CHECK(ask(heap, "suspects").error().kind == ErrorKind::timeout);
}

TEST_CASE("a question is stopped by any of the scopes in which it is asked", "[api][ask]") {
  const LoadedHeap heap = load_named_graph();
  const auto is_stopped = [&] {
    const auto answer = ask(heap, "suspects");
    return !answer && answer.error().kind == ErrorKind::timeout;
  };
  bool stops = false;
  const StopScope scope([&stops] { return stops; });
  {
    const StopScope inner([] { return true; });
    CHECK(is_stopped());
  }
  CHECK(!is_stopped());
  stops = true;
  const StopScope inner([] { return false; });
  CHECK(is_stopped());
}

TEST_CASE("a dump that a question uses up has the same answer, and is read again for others", "[api][ask]") {
  std::uint64_t bytes_read = 0;
  const auto opened =
      open(snapshot_path, {.on_read = [&bytes_read](std::uint64_t count) { bytes_read += count; }});
  REQUIRE(opened);
  const auto add = [&](Question& question, bool is_last) {
    Dump dump = *opened;
    return is_last ? question.add(snapshot_path, std::move(dump)) : question.add(snapshot_path, dump);
  };
  std::string first;
  for (const bool is_last : {false, true, false}) {
    auto question = Question::make("retained");
    REQUIRE(question);
    REQUIRE(add(*question, is_last) == 1U);
    const std::string answer = to_json(*question->finish());
    if (first.empty()) first = answer;
    CHECK(answer == first);
    CHECK((bytes_read != 0) == !is_last);
    bytes_read = 0;
  }
}

TEST_CASE("a question about no snapshot has no answer", "[api][ask]") {
  for (const std::string_view name : {"summary", "suspects", "leaks", "top", "diff", "growth"}) {
    INFO(name);
    OptionValues options;
    if (name == "top") options = {{"what", "objects"}};
    auto question = Question::make(name, options, name == "diff" ? 2 : 1);
    REQUIRE(question);
    CHECK(question->finish().error().message == "has no snapshot");
  }
}

TEST_CASE("pages of an answer have all rows between them", "[api][ask]") {
  const std::string strings = (tests::root / "corpus/v8/whole/node-16.heapsnapshot.zst").string();
  const std::tuple<std::string, std::string_view, OptionValues> questions[] = {
      {tests::sound_dump, "retained", {}}, {strings, "top", {{"what", "strings"}}}};
  for (const auto& [path, name, options] : questions) {
    INFO(name);
    const auto answer = ask(open_dump(path), name, options);  // the dump is closed before rows are made
    REQUIRE(answer);
    const std::size_t count = count_rows(*answer);
    REQUIRE(count > 1100);  // more rows than are sorted at first
    std::string pages;
    for (std::size_t first = 0; first < count; first += 700)
      pages += write_answer(take_rows(*answer, first, 700), AnswerForm::ndjson);
    CHECK(pages == write_answer(*answer, AnswerForm::ndjson));
  }
}

TEST_CASE("the nodes that retain the most come first, however many there are", "[api][ask]") {
  const auto answer = ask(open_dump(tests::sound_dump), "retained");
  REQUIRE(answer);
  const Answer all = take_rows(*answer, 0, SIZE_MAX);
  CHECK(all.table.rows.size() == count_rows(*answer));
  CHECK(std::ranges::is_sorted(all.table.rows, std::greater<>(),
                               [](const auto& row) { return std::get<std::uint64_t>(row[4]); }));
}

TEST_CASE("suspects retain the share, and are looked for as far as the drop says", "[api][ask]") {
  const LoadedHeap heap = load_graph({{1}, {2, 3, 4}, {}, {}, {}}, {0, 0, 60, 30, 10});
  CHECK(find_suspects(heap, {}) == std::vector<std::uint64_t>{2, 3});
  CHECK(find_suspects(heap, {{"share", std::uint64_t{50}}}) == std::vector<std::uint64_t>{2});
  CHECK(find_suspects(heap, {{"drop", std::uint64_t{50}}}) == std::vector<std::uint64_t>{2});
}

TEST_CASE("what grew is alive in all later dumps", "[api][ask]") {
  CHECK(find_what_grew(true).contains("new nodes of 100 B"));
  CHECK(find_what_grew(false).starts_with("Nothing is new in the last snapshot; "));
}

TEST_CASE("the nodes that have edges to a node are shown with these edges", "[api][ask]") {
  const auto answer = ask(load_named_graph(), "retainers", {{"id", "row:3"}});
  REQUIRE(answer);
  CHECK(write_answer(*answer, AnswerForm::csv) ==
        "edge,id,kind,name,size,retained,file,line,column\nitem,1,node,A,0,0,,,\nitem,2,node,B,0,0,,,\nitem,"
        "2,node,B,0,0,,,\n");
}

TEST_CASE("the nodes that have edges to a node are counted by edge and name", "[api][ask]") {
  const auto answer = ask(load_named_graph(), "show", {{"id", "row:3"}});
  REQUIRE(answer);
  const auto held = std::ranges::find(answer->facts, std::string_view("retainers"),
                                      [](const auto& fact) { return fact.first; });
  REQUIRE(held != answer->facts.end());
  CHECK(write_answer({.table = std::get<std::vector<Table>>(held->second).front()}, AnswerForm::csv) ==
        "edge,id,kind,name,count,file,line,column\nitem,2,node,B,2,,,\nitem,1,node,A,1,,,\n");
}

TEST_CASE("a text that a spreadsheet would take for a formula is marked in the CSV of an answer",
          "[api][ask]") {
  Answer answer{.table = {.columns = {{"name", "Name"}, {"count", "Count", Unit::count}}}};
  answer.table.rows.push_back({std::string("=1+1"), std::uint64_t{2}});
  answer.table.rows.push_back({std::string("@A1,A2"), std::uint64_t{3}});
  CHECK(write_answer(answer, AnswerForm::csv) == "name,count\n'=1+1,2\n\"'@A1,A2\",3\n");
}

TEST_CASE("a condition that holds is a remark on the answer", "[api][ask]") {
  const std::vector<std::string> conditions{"type=\"None\": count > 3", "size > 1"};
  const auto answer = ask(open_dump(two_snapshots_path), "growth", {{"fail-on", conditions}});
  REQUIRE(answer);
  REQUIRE(answer->remarks.size() == 2);
  CHECK(answer->remarks[0].kind == Remark::Kind::note);
  CHECK(answer->remarks[0].text == "--fail-on: found no None in any snapshot");
  CHECK(answer->remarks[1].kind == Remark::Kind::violation);
  CHECK(answer->remarks[1].text.starts_with("the whole heap: found size "));
}

TEST_CASE("a question that is not understood names what is", "[api][ask]") {
  CHECK(find_error("sumary").starts_with(
      "found the question \"sumary\", expected summary, suspects, leaks, top"));
  CHECK(find_error("sumary").ends_with("; did you mean summary"));
  CHECK(find_error("find", {{"query", "objects"}, {"sise", true}}) ==
        "found the option \"sise\", expected query, snapshot, limit or force");
  CHECK(find_error("find", {{"query", "objects"}, {"limt", true}}).ends_with("; did you mean limit"));
  CHECK(find_error("find") == "query: found nothing, expected a string");
  CHECK(find_error("find", {{"query", "objcts"}}).contains("objcts"));
  CHECK(find_error("suspects", {{"share", "20"}}) ==
        "share: found 20, expected a whole number from 1 to 100");
  CHECK(find_error("suspects", {{"share", std::uint64_t{0}}}) ==
        "share: found 0, expected a whole number from 1 to 100");
  CHECK(find_error("dominators", {{"by-type", std::uint64_t{1}}}) ==
        "by-type: found 1, expected true or false");
  CHECK(find_error("growth", {{"by", "weight"}}) ==
        "by: found weight, expected count, size, retained or cumulative");
  CHECK(Question::make("count", {{"query", "objects"}}, 2).error().message == "found 2 dumps, expected one");
}

TEST_CASE("an option without a value is as if it were not given", "[api][ask]") {
  CHECK(find_error("find", {{"query", NoValue()}}) == "query: found nothing, expected a string");
  CHECK(Question::make("suspects", {{"share", NoValue()}, {"unknown", NoValue()}}));
}

TEST_CASE("an option of a question has the same values on the command line and in the library",
          "[api][ask]") {
  std::size_t compared = 0;
  for (const cli::Command& command : cli::question_commands) {
    const auto question = analyze::answers::find_question(command.name);
    REQUIRE(question);
    for (const auto& rule : analyze::answers::options_of(**question)) {
      const cli::Option* const option = cli::find_option(command.options, rule.name);
      if (option == nullptr) continue;  // an argument
      INFO(command.name << " --" << rule.name);
      ++compared;
      if (rule.kind == analyze::answers::OptionKind::count) {
        CHECK(option->least == rule.least);
        CHECK(option->most == rule.most);
      }
      if (!rule.fallback.empty()) CHECK(option->default_text == rule.fallback);
      if (!rule.choices.empty())
        CHECK(fmt::format("{}", fmt::join(cli::choices_of(*option), " ")) == rule.choices);
    }
  }
  CHECK(compared > 30);
}
