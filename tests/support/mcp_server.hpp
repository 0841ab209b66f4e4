// A server of the Model Context Protocol for tests, which call it without a process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/server.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "tests/support/files.hpp"

namespace heapcheck::tests {

namespace mcp = heapcheck::cli::mcp;

inline const std::string corpus_root = (root / "corpus").string();

inline mcp::Server make_server(const std::vector<std::string>& folders = {corpus_root}, Limits limits = {}) {
  return {mcp::Roots::make(folders).value(), limits};
}

/// The line of a call of a tool. `arguments` are the members of an object.
inline std::string make_call(const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":{)" +
         arguments + "}}}";
}

inline std::string call(mcp::Server& server, const std::string& tool, const std::string& arguments) {
  return server.answer_line(make_call(tool, arguments));
}

inline std::string open(mcp::Server& server, const std::string& path) {
  return call(server, "open", R"("path":")" + path + '"');
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
inline bool has_failed(std::string_view line) {
  return contains(line, R"("isError":true)") || contains(line, R"("error":{"code")");
}

/// Whether the line is one JSON document.
inline bool is_json_line(std::string_view line) {
  core::MemorySource source(core::as_bytes(line));
  core::Window window(source);
  core::JsonReader json(window, Limits{});
  json.skip_value();
  return json.next() == core::JsonToken::end && !json.skip_whitespace();
}

/// The JSON text of the answer, which is also in the result in structured form.
inline std::string find_structured(const std::string& line) {
  constexpr std::string_view key = R"("structuredContent":)";
  const std::size_t begin = line.find(key) + key.size();
  return line.substr(begin, line.size() - begin - 2);
}

inline const std::string v8_file = "v8/heapsnapshot/seed/node-10.heapsnapshot";
inline const std::string moar_file = "mvmheap/v3/seed/two-snapshots.mvmheap";

/// A server with open dumps: d1 and d2 from V8, d3 from MoarVM, d4 a timeline with stacks, d5 damaged.
struct ServerWithDumps : mcp::Server {
  explicit ServerWithDumps(const std::vector<std::string>& folders = {corpus_root})
      : mcp::Server(mcp::Roots::make(folders).value(), {}) {
    for (const std::string& path :
         {v8_file, std::string("v8/heapsnapshot/seed/node-16.heapsnapshot"), moar_file,
          std::string("v8/heapsnapshot/seed/node-24-stacks.heaptimeline"),
          std::string("mvmheap/v3/seed/cut.mvmheap")})
      REQUIRE_FALSE(has_failed(open(*this, path)));
  }
};

}  // namespace heapcheck::tests
