// Reads a heap snapshot or a trace with simdjson:
//   bench_simdjson cold FILE   with the on-demand parser
//   bench_simdjson warm FILE   the same, three times; prints the time of the last run
//   bench_simdjson dom FILE    with the DOM parser; reads only the document
// The on-demand parser reads the numbers of nodes and edges into 32-bit arrays and all strings into one
// buffer, or the heap dumps of a trace into columns. After the first run, the file and the parser's memory
// are ready.
#include <fmt/core.h>
#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/clock.hpp"
#include "bench/peers/simdjson_trace.hpp"

namespace {

using heapcheck::bench::Clock;
using heapcheck::bench::TraceExtractor;

struct Content {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> edges;
  std::string text;
  std::vector<std::size_t> ends;

  void clear() {
    nodes.clear();
    edges.clear();
    text.clear();
    ends.clear();
  }
};

void read_numbers(simdjson::ondemand::array array, std::vector<std::uint32_t>& out) {
  for (auto element : array) out.push_back(static_cast<std::uint32_t>(std::uint64_t{element.get_uint64()}));
}

void read_snapshot(simdjson::ondemand::document& document, Content& content) {
  for (auto field : document.get_object()) {
    const std::string_view key = field.unescaped_key();
    if (key == "nodes") read_numbers(field.value().get_array(), content.nodes);
    if (key == "edges") read_numbers(field.value().get_array(), content.edges);
    if (key != "strings") continue;
    for (auto element : field.value().get_array()) {
      content.text += std::string_view(element.get_string());
      content.ends.push_back(content.text.size());
    }
  }
}

/// Returns whether there was any content.
bool read(simdjson::ondemand::parser& parser, const simdjson::padded_string& json, Content& content) {
  constexpr std::size_t head = 100;
  simdjson::ondemand::document document = parser.iterate(json);
  content.clear();
  if (std::string_view(json).substr(0, head).find("\"snapshot\"") != std::string_view::npos) {
    read_snapshot(document, content);
    return !content.nodes.empty() && !content.edges.empty() && !content.ends.empty();
  }
  TraceExtractor extractor;
  for (simdjson::ondemand::object event : document["traceEvents"].get_array()) extractor.read_event(event);
  return extractor.has_dumps();
}

bool read_cold(const char* path) {
  const simdjson::padded_string json = simdjson::padded_string::load(path);
  simdjson::ondemand::parser parser;
  Content content;
  return read(parser, json, content);
}

bool read_warm(const char* path) {
  constexpr int times = 3;
  const simdjson::padded_string json = simdjson::padded_string::load(path);
  simdjson::ondemand::parser parser;
  Content content;
  Clock clock;
  bool is_read = true;
  for (int i = 0; i < times && is_read; ++i) {
    clock = {};
    clock.start();
    is_read = read(parser, json, content);
    clock.stop();
  }
  clock.print();
  return is_read;
}

bool read_dom(const char* path) {
  simdjson::dom::parser parser;
  return parser.load(path).error() == simdjson::SUCCESS;
}

bool run(std::string_view how, const char* path) {
  if (how == "warm") return read_warm(path);
  return how == "dom" ? read_dom(path) : read_cold(path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_simdjson cold|warm|dom FILE\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2]) ? 0 : 1;
  } catch (const simdjson::simdjson_error& error) {
    fmt::print(stderr, "bench_simdjson: {}\n", error.what());
    return 1;
  }
}
