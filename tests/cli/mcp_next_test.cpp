// Tests how the server of the Model Context Protocol guides an agent: its suggestions, and its descriptions
// of tools.
#include <string>

#include "tests/support/mcp_server.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("suggestions lead to what an answer does not show", "[mcp]") {
  const Scratch scratch;
  ServerWithDumps server({corpus_root, scratch.path().string()});
  // Two dumps that are open need not be of one process.
  const std::string again = open(server, v8_file);
  CHECK(
      contains(again, R"({"tool":"suspects","arguments":{"dump":"d1"},"why":"shows what to look at first)"));
  const std::string opened = open(server, "v8/heapsnapshot/seed/node-16.heapsnapshot");
  CHECK(contains(opened, R"("arguments":{"dump":"d1","later":["d2"]},"why":"if both are of one process)"));
  CHECK(contains(opened, R"({"tool":"suspects","arguments":{"dump":"d2"},)"));
  const std::string other = call(server, "suspects", R"("dump":"d1","later":["d2"],"share":1)");
  REQUIRE(contains(other, R"("doubt":"other process")"));
  CHECK(contains(other, R"("next":[{"tool":"suspects","arguments":{"dump":"d2"})"));
  CHECK(contains(call(server, "dominators", R"("dump":"d1","id":"row:1")"),
                 R"({"tool":"dominators","arguments":{"by-type":true,"dump":"d1","id":")"));
  CHECK(contains(call(server, "count", R"("dump":"d1","query":"strings size>100")"),
                 R"({"tool":"find","arguments":{"dump":"d1","query":"strings size>100"})"));
  CHECK(contains(call(server, "find", R"("dump":"d1","query":"strings size>100")"),
                 R"({"tool":"path","arguments":{"dump":"d1","id":"strings size>100","merged":true})"));
  CHECK_FALSE(contains(
      call(server, "find", R"("dump":"d1","query":"strings name!=\")" + std::string(300, 'q') + R"(\"")"),
      "merged"));
  // Of a damaged dump, some snapshots may be intact.
  CHECK(contains(call(server, "retained", R"("dump":"d5")"), R"(\"force\":true)"));
  CHECK(contains(call(server, "validate", R"("dump":"d5")"), R"("tool":"recover")"));
  const std::string output = scratch.path("new");
  CHECK(contains(call(server, "recover", R"("dump":"d5","output":")" + output + '"'),
                 R"({"tool":"open","arguments":{"path":")" + output + '"'));
  // Only a call with a wrong id needs the list.
  CHECK(contains(call(server, "retained", R"("dump":"d77")"), "list"));
  CHECK_FALSE(contains(call(server, "find", R"("dump":"d1","query":"objets")"), "list"));
}

TEST_CASE("suggestions for a dump fit the snapshots about which it can be asked", "[mcp]") {
  auto server = make_server();
  CHECK(contains(open(server, moar_file), "shows what grew from the first snapshot to the last"));
  const std::string chosen = call(server, "open", R"("path":")" + moar_file + R"(","snapshot":0)");
  CHECK(contains(chosen, "shows what to look at first in the chosen snapshot alone"));
  CHECK_FALSE(contains(chosen, "shows what grew from"));
  const std::string empty = open(server, "mvmheap/v1/seed/moar-2016.04-zero-snapshots.txt");
  REQUIRE_FALSE(has_failed(empty));
  CHECK(contains(empty, R"("next":[])"));
  CHECK(contains(call(server, "summary", R"("dump":"d3")"), R"("next":[])"));
  CHECK_FALSE(contains(open(server, "mvmheap/v1/seed/moar-2017.08-small.txt"), R"("dump":"d3")"));
}

TEST_CASE("tools do not have the options for scripts, and no hyphens in descriptions", "[mcp]") {
  auto server = make_server();
  const std::string list = server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  CHECK_FALSE(contains(list, "fail-on"));
  CHECK_FALSE(contains(list, "strict-names"));
  CHECK_FALSE(contains(list, " --"));
  CHECK(contains(list, R"("default":20,"type":"integer")"));
}

TEST_CASE("the order of `top` can be given as one word", "[mcp]") {
  ServerWithDumps server;
  const std::string by_count = call(server, "top", R"("dump":"d1","what":"objects","order":"by count")");
  CHECK_FALSE(has_failed(by_count));
  const auto find_rows = [](const std::string& line) { return line.substr(0, line.find(R"(\"rows_left)")); };
  CHECK(find_rows(call(server, "top", R"("dump":"d1","what":"objects","order":"count")")) ==
        find_rows(by_count));
}

TEST_CASE("if nothing retains a large share, the next question is about smaller shares", "[mcp]") {
  ServerWithDumps server;
  const std::string line = call(server, "suspects", R"("dump":"d1","share":100)");
  REQUIRE(contains(line, R"("suspects":[])"));
  CHECK(contains(line, R"("next":[{"tool":"suspects","arguments":{"dump":"d1","share":5})"));
  const std::string compared = call(server, "diff", R"("dump":"d1","later":["d2"])");
  CHECK(contains(compared, R"({"tool":"suspects","arguments":{"dump":"d1","later":["d2"]})"));
}
