// Tests how many rows the commands that answer questions print.
#include <algorithm>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string heap_for_rows = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
const std::string timeline_for_rows =
    (root / "corpus/v8/heapsnapshot/seed/node-24-stacks.heaptimeline").string();

std::string ask_for_rows(const std::string& question, const std::string& file = heap_for_rows) {
  const auto space = question.find(' ');
  const std::string rest = space == std::string::npos ? "" : question.substr(space);
  return run("heapcheck " + question.substr(0, space) + " " + file + rest).out;
}

}  // namespace

TEST_CASE("rows beyond the limit are counted", "[program][ask]") {
  CHECK(ask_for_rows("find nodes --limit 1").contains("more; --limit N shows N rows\n"));
  CHECK(!ask_for_rows("find nodes --limit 0").contains("more; --limit"));
}

TEST_CASE("only text is limited unless --limit is given", "[program][ask]") {
  const auto count_lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  CHECK(count_lines(ask_for_rows("find nodes", node_10)) == 22);
  CHECK(count_lines(ask_for_rows("find nodes --output ndjson", node_10)) > 100);
  CHECK(count_lines(ask_for_rows("find nodes --output ndjson --limit 3", node_10)) == 3);
}

TEST_CASE("a limit on a tree includes its first row, and the text says how many rows it omits",
          "[program][ask]") {
  const auto count_lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  for (const std::string question : {"dominators", "dominators --by-type", "tree", "tree --inverted",
                                     "tree --inverted --snapshot 0", "path nodes --merged"}) {
    INFO(question);
    const std::string& file = question.starts_with("tree") ? timeline_for_rows : heap_for_rows;
    const auto all = count_lines(ask_for_rows(question + " --output ndjson", file));
    REQUIRE(all > 3);
    for (const int limit : {1, 2, 3}) {
      const std::string text = ask_for_rows(question + " --limit " + std::to_string(limit), file);
      CHECK(count_lines(text) == limit + 2);  // and a heading, and how many more rows there are
      CHECK(text.ends_with("\nand " + std::to_string(all - limit) + " more; --limit N shows N rows\n"));
    }
    CHECK_FALSE(ask_for_rows(question + " --limit " + std::to_string(all), file).contains(" more; "));
  }
}
