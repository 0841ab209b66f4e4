// Tests what the server of the Model Context Protocol says about calls that fail.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/mcp_server.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("wrong arguments fail with what was expected", "[mcp]") {
  ServerWithDumps server;
  CHECK(contains(call(server, "top", R"("dump":"d1")"), "the argument `what`: found none, expected objects"));
  CHECK(contains(call(server, "top", R"("dump":"d1","what":"objets")"), "did you mean objects"));
  CHECK(contains(call(server, "top", R"("dump":"d1","what":7)"), "found 7, expected"));
  CHECK_FALSE(contains(call(server, "top", R"("dump":"d1","what":")" + std::string(900, 'q') + '"'),
                       std::string(100, 'q')));
  CHECK(contains(call(server, "find", R"("dump":"d1","querry":"objects")"), "did you mean query"));
  CHECK(contains(call(server, "find", R"("dump":"d1","query":"objets")"), R"("isError":true)"));
  CHECK(
      contains(call(server, "tree", R"("dump":"d4","inverted":"yes")"), "found yes, expected true or false"));
  CHECK(contains(call(server, "retained", R"("dump":"d1","limit":0)"),
                 "expected a whole number from 1 to 1000"));
  CHECK_FALSE(has_failed(call(server, "retained", R"("dump":"d1","limit":20.0)")));
  CHECK(contains(call(server, "retained", R"("dump":"d1","limit":2.5)"),
                 "found 2.5, expected a whole number from 1 to 1000"));
  CHECK(contains(call(server, "retained", R"("dump":"d1","limit":-1)"), "found -1, expected a whole number"));
  CHECK(contains(call(server, "retained", R"("dump":1)"), "the argument `dump`: found 1, expected a string"));
  CHECK(contains(call(server, "retained", R"("dump":"d77")"), "expected the id of an open dump"));
  CHECK(contains(call(server, "retained", R"("dump":"d1","snapshot":5)"), R"("isError":true)"));
  CHECK(contains(call(server, "show", R"("dump":"d1","id":{"y":[1]})"),
                 "the argument `id`: found an object, or an array that contains other values, expected"));
  CHECK(contains(call(server, "suspects", R"("dump":"d1","later":[{}])"), "the argument `later`: found"));
  CHECK(contains(call(server, "list", R"("x":{"y":1})"), "found the argument x, expected none"));
  CHECK(
      contains(call(server, "explain", R"("rule":"mvm3.toc.entry-en")"), "did you mean mvm3.toc.entry-end"));
}

TEST_CASE("messages name files and arguments in the words of the tools", "[mcp]") {
  const Scratch scratch;
  ServerWithDumps server({corpus_root, scratch.path().string()});
  constexpr std::string_view expected =
      "expected one or two later dumps in `later`, or only `dump` and `snapshots`";
  CHECK(contains(call(server, "diff", R"("dump":"d1")"), "found 1 dump, " + std::string(expected)));
  CHECK(contains(call(server, "diff", R"("dump":"d1","later":["d2","d2","d2"])"), "found 4 dumps, "));
  CHECK(contains(call(server, "diff", R"("dump":"d3","later":["d3"],"snapshots":"all")"),
                 "found 2 dumps and `snapshots`, "));
  CHECK_FALSE(has_failed(call(server, "diff", R"("dump":"d3","snapshots":"all")")));
  CHECK(contains(call(server, "top", R"("dump":"d3","what":"types","process":"x")"),
                 "two-snapshots.mvmheap: `process`: found a"));
  CHECK(contains(open(server, scratch.file("text", "hello")), "text: is not in a known format"));
  CHECK(contains(call(server, "retained", R"("dump":"d1","snapshot":5)"),
                 "node-10.heapsnapshot: no snapshot 5"));
  // Of a forced question about a damaged dump, the damage is reported, rather than what it leads to.
  const std::string whole = read_corpus(v8_file);
  std::string without_nodes = whole;
  const std::size_t row = whole.find('\n', whole.find(R"("nodes":[)") + 2000);
  without_nodes.erase(row, whole.find('\n', row + 700) - row);
  for (const std::string& part : {whole.substr(0, whole.size() / 2), without_nodes}) {
    const std::string path = scratch.file(fmt::format("{}.heapsnapshot", part.size()), part);
    REQUIRE_FALSE(has_failed(open(server, path)));
    const std::string id = server.session().heaps().dumps().back()->id;
    const std::string forced = call(server, "summary", fmt::format(R"("dump":"{}","force":true)", id));
    CHECK(contains(forced, path + ": is damaged at 0x"));
    CHECK(contains(forced, "; the intact parts are not enough for an answer"));
  }
}

TEST_CASE("arguments that are too long are refused", "[mcp]") {
  ServerWithDumps server;
  const std::string text(5000, 'q');
  CHECK(contains(call(server, "explain", R"("rule":")" + text + '"'),
                 "the argument `rule`: found 5000 bytes, expected at most 4096"));
  CHECK(contains(call(server, "suspects", R"("dump":"d1","later":[")" + text + R"("])"), "at most 4096"));
  std::string ids = R"("d2")";
  for (int i = 0; i < 50; ++i) ids += R"(,"d2")";
  CHECK(contains(call(server, "suspects", R"("dump":"d1","later":[)" + ids + "]"),
                 "the argument `later`: found 51 values, expected at most 50"));
}
