// Property: for any lines, the server for agents answers each with one line of JSON that fits the protocol,
// or not at all. A byte at the end of the input selects whether the lines are messages or arguments of tools.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "cli/mcp/server.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "fuzz/support/property.hpp"
#include "fuzz/support/scratch_folder.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

constexpr std::string_view dump =
    R"({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],)"
    R"("node_types":[["hidden","array","string","object"],"string","number","number","number"],)"
    R"("edge_fields":["type","name_or_index","to_node"],)"
    R"("edge_types":[["context","element","property"],"string_or_number","node"]},"node_count":3,"edge_count":2},)"
    R"("nodes":[3,0,1,0,1,3,1,3,16,1,2,2,5,24,0],"edges":[2,2,5,2,1,10],"strings":["","Foo","foo"]})";

constexpr std::size_t most_lines = 8;

void check_answer(std::string_view line) {
  if (line.empty()) return;
  require(line.starts_with(R"({"jsonrpc":"2.0","id":)"), "an answer is a response");
  require(line.find('\n') == std::string_view::npos, "an answer is one line");
  core::MemorySource source(core::as_bytes(line));
  core::Window window(source);
  core::JsonReader json(window, Limits{});
  json.skip_value();
  require(json.next() == core::JsonToken::end && !json.skip_whitespace(), "an answer is JSON");
}

/// A call of the tool that `choice` selects, with the line as the members of its arguments.
std::string make_call(std::uint8_t choice, std::string_view line) {
  const auto tools = cli::mcp::tools();
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
         std::string(tools[choice % tools.size()].name) + R"(","arguments":{"dump":"d1",)" +
         std::string(line) + "}}}";
}

/// Removes the files that `recover` and `report` have created.
void clean(const fuzz::ScratchFolder& folder) {
  if (folder.count_files() == 1) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file(""))) {
    if (entry.path().filename() != "dump") std::filesystem::remove_all(entry.path());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  if (folder.count_files() == 0) std::ofstream(folder.file("dump")) << dump;
  cli::mcp::Server server(cli::mcp::Roots::make({folder.file("")}).value(), Limits{});
  const std::string opened = server.answer_line(
      R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"open","arguments":{"path":"dump"}}})");
  require(opened.find("isError") == std::string::npos, "the dump can be opened");
  const std::uint8_t choice = size == 0 ? 0 : data[size - 1];
  std::string_view rest = core::as_text({data, size == 0 ? 0 : size - 1});
  for (std::size_t i = 0; i < most_lines && !rest.empty(); ++i) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    check_answer(server.answer_line(choice < 128 ? std::string(line) : make_call(choice, line)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  clean(folder);
  return 0;
}
