// Tests the messages of the server of the Model Context Protocol, and its answers to hostile ones.
#include <random>
#include <string>
#include <vector>

#include "cli/mcp/pages.hpp"
#include "tests/support/mcp_server.hpp"
#include "tests/support/mutated_text.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("the server chooses a revision of the protocol that it supports", "[mcp]") {
  auto server = make_server();
  const auto ask = [&](const std::string& version) {
    return server.answer_line(
        R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":")" + version +
        R"(","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"c","icons":[{}]}}})");
  };
  CHECK(contains(ask("2025-06-18"), R"("protocolVersion":"2025-06-18")"));
  CHECK(contains(ask("2025-11-25"), R"({"jsonrpc":"2.0","id":"a","result":{"protocolVersion":"2025-11-25")"));
  CHECK(contains(ask("2099-01-01"), R"("protocolVersion":"2025-11-25")"));
}

TEST_CASE("the revision without a handshake is named in each request", "[mcp]") {
  auto server = make_server();
  const auto ask = [&](const std::string& method, const std::string& version) {
    return server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                              R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":")" +
                              version + R"(","io.modelcontextprotocol/clientCapabilities":{}}}})");
  };
  const std::string discovered = ask("server/discover", "2026-07-28");
  CHECK(contains(discovered, R"("supportedVersions":["2026-07-28","2025-11-25","2025-06-18"])"));
  CHECK(contains(discovered, R"("resultType":"complete","ttlMs":3600000,"cacheScope":"public")"));
  CHECK(contains(ask("tools/list", "2026-07-28"), R"("resultType":"complete")"));
  CHECK_FALSE(contains(ask("tools/list", "2025-11-25"), "resultType"));
  CHECK(contains(ask("tools/list", "2031-01-01"), R"("code":-32022)"));
  CHECK(contains(ask("tools/list", "2031-01-01"), R"("requested":"2031-01-01")"));
}

TEST_CASE("messages that are no requests are refused with the code for the reason", "[mcp]") {
  auto server = make_server();
  CHECK(contains(server.answer_line("{"), R"("id":null,"error":{"code":-32700)"));
  CHECK(contains(server.answer_line("\xff"), "-32700"));
  CHECK(contains(server.answer_line("7"), "-32600"));
  CHECK(contains(server.answer_line(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "batches"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), "-32600"));
  CHECK(contains(server.answer_line(R"({"id":1,"method":"ping"})"), R"("id":1,"error":{"code":-32600)"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), "-32600"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), "-32600"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})"), "-32600"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":"ping"} x)"), "-32700"));
  CHECK(contains(server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":"eval"})"), "-32601"));
  CHECK(contains(
      server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"eval"}})"),
      "-32602"));
  CHECK(contains(server.answer_line(std::string(mcp::max_message + 1, ' ')),
                 "found a message of more than 1048576 bytes, expected at most 1048576"));
  CHECK(contains(server.answer_line(std::string(100, '[')), "-32600"));
}

TEST_CASE("what is wrong with the parameters is reported with an id that comes later", "[mcp]") {
  auto server = make_server();
  for (const std::string params : {R"([{"x":[]}])", R"({"arguments":[[1]],"_meta":{}})", R"({"_meta":7})"})
    CHECK(
        contains(server.answer_line(R"({"method":"ping","params":)" + params + R"(,"jsonrpc":"2.0","id":3})"),
                 R"("id":3,"error":{"code":-32600)"));
}

TEST_CASE("requests are answered with their ids, and notifications are not answered", "[mcp]") {
  auto server = make_server();
  CHECK(server.answer_line(R"({"jsonrpc":"2.0","id":-3,"method":"ping"})") ==
        R"({"jsonrpc":"2.0","id":-3,"result":{}})");
  CHECK(server.answer_line(R"({"method":"ping","params":{},"id":"\u202e\"","jsonrpc":"2.0"})") ==
        R"({"jsonrpc":"2.0","id":"\u202e\"","result":{}})");
  CHECK(server.answer_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  CHECK(server.answer_line(R"({"jsonrpc":"2.0","id":4,"result":{"roots":[{}]}})").empty());
}

TEST_CASE("a page contains at least one row, however large", "[mcp]") {
  Answer answer{.table = {.columns = {{"name", "Name"}, {"ids", "Ids"}, {"path", "Path"}}}};
  Table path{.key = "path", .columns = {{"name", "Name"}}};
  for (int i = 0; i < 5000; ++i) path.rows.push_back({std::string(300, 'p')});
  const std::vector<std::uint64_t> ids(5000, 123456789);
  for (int i = 0; i < 3; ++i)
    answer.table.rows.push_back({std::string(100'000, 'n'), ids, std::vector<Table>{path}});
  const auto page = mcp::make_page(answer, 1, {.most_bytes = 1000});
  CHECK(page.json.size() <= 1000);
  CHECK(page.is_shortened);
  CHECK(page.end == 2);
  CHECK(page.count == 3);
  CHECK(mcp::make_page(answer, 9, {}).end == 3);
  CHECK(mcp::make_compact("{\n  \"a b\": [\n    1,\n    \"\\\\\"\n  ],\n  \"\\\" \": 2\n}\n") ==
        R"({"a b":[1,"\\"],"\" ":2})");
}

TEST_CASE("resources and prompts can be listed and read", "[mcp]") {
  auto server = make_server();
  const auto ask = [&](const std::string& method, const std::string& params) {
    return server.answer_line(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                              "}");
  };
  CHECK(contains(ask("resources/list", "{}"), R"("uri":"heapcheck://spec/mvmheap/v3.md")"));
  CHECK(contains(ask("resources/list", R"({"cursor":"x"})"), "-32602"));
  CHECK(contains(ask("resources/templates/list", "{}"), R"("uriTemplate":"heapcheck://rules/{id}")"));
  CHECK(contains(ask("resources/read", R"({"uri":"heapcheck://rules"})"), "mvm3.toc.entry-end error: "));
  CHECK(contains(ask("resources/read", R"({"uri":"heapcheck://rules/mvm3.toc.entry-end"})"),
                 "# mvm3.toc.entry-end"));
  CHECK(contains(ask("resources/read", R"({"uri":"heapcheck://spec/json.md"})"),
                 R"("mimeType":"text/markdown")"));
  CHECK(contains(ask("resources/read", R"({"uri":"file:///etc/passwd"})"), "-32002"));
  CHECK(contains(ask("prompts/list", "{}"), R"("name":"find-leak")"));
  CHECK(contains(ask("prompts/get", R"({"name":"find-leak","arguments":{"path":"a\"b","later":"c"}})"),
                 R"(whose heap dump is \"a\\\"b\")"));
  CHECK(
      contains(ask("prompts/get", R"({"name":"is-this-file-broken","arguments":{"path":"a"}})"), "recover"));
  CHECK(contains(ask("prompts/get", R"({"name":"find-leak"})"), "-32602"));
  CHECK(contains(ask("prompts/get", R"({"name":"x"})"), "-32602"));
}

TEST_CASE("mutated requests never do more than fail", "[mcp]") {
  ServerWithDumps server;
  const std::vector<std::string> seeds = {
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})",
      R"({"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"_meta":{"progressToken":3}}})",
      R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"heapcheck://rules/json"}})",
      make_call("find", R"("dump":"d3","query":"objects type=\"BOOTHash\" size>10","limit":3)"),
      make_call("top", R"("dump":"d3","what":"objects","order":"by count")"),
      make_call("path", R"("dump":"d3","id":"row:3","paths":2)"),
      make_call("more", R"("cursor":"a1.3")")};
  std::mt19937_64 random(20261127);
  std::size_t failures = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string line =
        mutate_text(seeds[random() % seeds.size()], "{}[]\":,\\0123456789abcdeflnrstu.-+ \x7f\xff", random);
    const std::string answer = server.answer_line(line);
    INFO(line);
    REQUIRE((answer.empty() || is_json_line(answer)));
    REQUIRE(answer.find('\n') == std::string::npos);
    failures += has_failed(answer) ? 1 : 0;
  }
  CHECK(failures > 500);
}
