// Tests questions that are asked by name through the library.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/answers/question.hpp"
#include "cli/ask/node_commands.hpp"
#include "heapcheck/ask.hpp"
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
};

Dump open_dump(const std::string& path) {
  auto dump = open(path);
  REQUIRE(dump);
  return *dump;
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
  CHECK(ask(heap, "tree").error().message == "a loaded heap has no call stacks");
}

TEST_CASE("a question about no snapshot has no answer", "[api][ask]") {
  for (const std::string_view name : {"summary", "suspects", "top", "diff", "growth"}) {
    INFO(name);
    OptionValues options;
    if (name == "top") options = {{"what", "objects"}};
    auto question = Question::make(name, options, name == "diff" ? 2 : 1);
    REQUIRE(question);
    CHECK(question->finish().error().message == "has no snapshot");
  }
}

TEST_CASE("pages of an answer have all rows between them", "[api][ask]") {
  const auto answer = ask(open_dump(tests::sound_dump), "retained");
  REQUIRE(answer);
  const std::size_t count = count_rows(*answer);
  REQUIRE(count > 1100);  // more rows than are sorted at first
  std::string pages;
  for (std::size_t first = 0; first < count; first += 700)
    pages += write_answer(take_rows(*answer, first, 700), AnswerForm::ndjson);
  CHECK(pages == write_answer(*answer, AnswerForm::ndjson));
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
  CHECK(find_error("sumary").starts_with("found the question \"sumary\", expected summary, suspects, top"));
  CHECK(find_error("find", {{"query", "objects"}, {"sise", true}}) ==
        "found the option \"sise\", expected query, snapshot, limit or force");
  CHECK(find_error("find") == "query: found nothing, expected a text");
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
  CHECK(find_error("find", {{"query", NoValue()}}) == "query: found nothing, expected a text");
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
