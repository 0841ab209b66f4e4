// Tests which rows the server of the Model Context Protocol shows, and how it goes on with others.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/mcp_server.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("`more` shows every row exactly once", "[mcp]") {
  ServerWithDumps server;
  std::string line = call(server, "find", R"("dump":"d1","query":"objects","limit":900)");
  std::size_t rows = 0;
  std::string last;
  for (std::size_t pages = 1;; ++pages) {
    REQUIRE(pages < 5000);
    REQUIRE(find_structured(line).size() <= mcp::max_answer);
    const std::string text = find_structured(line);
    for (std::size_t at = 0; (at = text.find(R"({"id":)", at)) != std::string::npos; ++at) ++rows;
    const std::size_t cursor = text.find(R"("more":")");
    if (cursor == std::string::npos) break;
    const std::string value = text.substr(cursor + 8, text.find('"', cursor + 8) - cursor - 8);
    REQUIRE(value != last);
    last = value;
    line = call(server, "more", R"("cursor":")" + value + '"');
  }
  const std::string counted = call(server, "count", R"("dump":"d1","query":"objects")");
  CHECK(contains(counted, R"("count":)" + std::to_string(rows) + ","));
  CHECK(has_failed(call(server, "more", R"("cursor":"a1")")));
  CHECK(has_failed(call(server, "more", R"("cursor":"a77.0")")));
}

TEST_CASE("calls that fail do not end what `more` can continue", "[mcp]") {
  ServerWithDumps server;
  REQUIRE(contains(call(server, "find", R"("dump":"d1","query":"objects","limit":1)"), R"("more":"a1.1")"));
  for (int i = 0; i < 20; ++i)
    CHECK(has_failed(call(server, "find", R"("dump":"d1","query":"wrong)" + std::to_string(i) + '"')));
  CHECK_FALSE(has_failed(call(server, "more", R"("cursor":"a1.1")")));
}

TEST_CASE("each limit on the same question shows its own number of rows", "[mcp]") {
  ServerWithDumps server;
  const std::string five = call(server, "retained", R"("dump":"d1","limit":5)");
  const std::string two = call(server, "retained", R"("dump":"d1","limit":2)");
  CHECK(contains(five, R"("more":"a1.5")"));
  CHECK(contains(two, R"("more":"a2.2")"));
  CHECK(contains(call(server, "more", R"("cursor":"a2.2")"), R"("more":"a2.4")"));
  CHECK(contains(call(server, "more", R"("cursor":"a1.5")"), R"("more":"a1.10")"));
  // Suspects and trees are chosen for each limit.
  for (const std::string tool : {"dominators", "leaks"})
    CHECK(find_structured(call(server, tool, R"("dump":"d1","limit":1)")) !=
          find_structured(call(server, tool, R"("dump":"d1","limit":3)")));
}

TEST_CASE("trees state how many rows they leave out, and a larger limit shows them", "[mcp]") {
  ServerWithDumps server;
  const auto read_number = [](const std::string& text, std::string_view key) {
    return std::stoull(text.substr(text.find(key) + key.size()));
  };
  const auto count = [&](const std::string& text) {
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = text.find(R"("depth":)", at)) != std::string::npos; ++at) ++rows;
    return rows;
  };
  for (const std::string arguments :
       {R"("dump":"d1")", R"("dump":"d1","by-type":true)", R"("dump":"d1","id":"objects","merged":true)",
        R"("dump":"d4")", R"("dump":"d4","inverted":true)"}) {
    const std::string tool = contains(arguments, "d4")       ? "tree"
                             : contains(arguments, "merged") ? "path"
                                                             : "dominators";
    INFO(tool << " " << arguments);
    const std::string few = find_structured(call(server, tool, arguments + R"(,"limit":3)"));
    CHECK(count(few) == 3);
    CHECK_FALSE(contains(few, R"("more":)"));
    CHECK(contains(few, R"("limit":15)"));
    const std::size_t all = 3 + read_number(few, R"("rows_left":)");
    const std::string many = find_structured(call(server, tool, arguments + R"(,"limit":15)"));
    CHECK(count(many) == std::min<std::size_t>(15, all));
    CHECK(count(many) + read_number(many, R"("rows_left":)") == all);
    CHECK(contains(many, R"("limit":75)") == (all > 15));
  }
}

TEST_CASE("answers about a file with a long path are brief, too", "[mcp]") {
  const Scratch scratch;
  fs::path folder = scratch.path();
  while (folder.string().size() < 3700) folder /= std::string(200, '"');
  fs::create_directories(folder);
  fs::copy_file(root / "corpus/mvmheap/v3/seed/cut.mvmheap", folder / "cut");
  auto server = make_server({scratch.path().string()});
  std::string path = (folder / "cut").string();
  for (std::size_t at = 0; (at = path.find('"', at)) != std::string::npos; at += 2) path.insert(at, 1, '\\');
  const std::string opened = open(server, path);
  REQUIRE_FALSE(has_failed(opened));
  CHECK(find_structured(opened).size() <= mcp::max_answer);
  CHECK(contains(opened, R"({"tool":"recover","arguments":{"dump":"d1"},)"));
  CHECK(find_structured(call(server, "validate", R"("dump":"d1")")).size() <= mcp::max_answer);
  const std::string recovered = call(server, "recover", R"("dump":"d1","output":")" + path + "2\"");
  REQUIRE_FALSE(has_failed(recovered));
  CHECK(find_structured(recovered).size() <= mcp::max_answer);
}

TEST_CASE("answers about many dumps are brief, too", "[mcp]") {
  ServerWithDumps server;
  std::string ids = R"("d2")";
  for (int i = 1; i < 50; ++i) ids += R"(,"d2")";
  for (const std::string tool : {"suspects", "leaks", "growth"}) {
    INFO(tool);
    const std::string line = call(server, tool, R"("dump":"d1","later":[)" + ids + "]");
    REQUIRE_FALSE(has_failed(line));
    CHECK(find_structured(line).size() <= mcp::max_answer);
  }
}

TEST_CASE("`list` shows every dump exactly once, with `more`", "[mcp]") {
  const Scratch scratch;
  auto server = make_server({scratch.path().string()});
  constexpr int count = 60;
  for (int i = 1; i <= count; ++i) {
    const std::string name = "d" + std::to_string(i);
    std::ignore = scratch.file(name, read_corpus(moar_file));
    REQUIRE_FALSE(has_failed(open(server, name)));
  }
  std::string line = call(server, "list", "");
  std::string all;
  for (int pages = 1;; ++pages) {
    REQUIRE(pages < 10);
    REQUIRE(find_structured(line).size() <= mcp::max_answer);
    all += find_structured(line);
    const std::size_t cursor = line.rfind(R"("more":")");
    if (cursor == std::string::npos) break;
    const std::string value = line.substr(cursor + 8, line.find('"', cursor + 8) - cursor - 8);
    line = call(server, "more", R"("cursor":")" + value + '"');
  }
  CHECK(contains(line, R"("rows_left":0)"));
  for (int i = 1; i <= count; ++i) {
    const std::string id = R"("dump":"d)" + std::to_string(i) + '"';
    CHECK(all.find(id) != std::string::npos);
    CHECK(all.find(id) == all.rfind(id));
  }
}
