#include "bench/v8_snapshots.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>

namespace heapcheck::bench {
namespace {

constexpr std::uint64_t node_bytes = 81;  // of a node with its edges and strings
constexpr std::uint64_t columns = 7;

constexpr std::string_view meta =
    R"j({"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],)j"
    R"j("node_types":[["hidden","array","string","object","code","closure","regexp","number","native",)j"
    R"j("synthetic","concatenated string","sliced string","symbol","bigint","object shape","wasm object"],)j"
    R"j("string","number","number","number","number","number"],)j"
    R"j("edge_fields":["type","name_or_index","to_node"],)j"
    R"j("edge_types":[["context","element","property","internal","hidden","shortcut","weak"],)j"
    R"j("string_or_number","node"],)j"
    R"j("trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],)j"
    R"j("trace_node_fields":["id","function_info_index","count","size","children"],)j"
    R"j("sample_fields":["timestamp_us","last_assigned_id"],)j"
    R"j("location_fields":["object_index","script_id","line","column"]})j";

/// Pseudo-random numbers, the same on every machine.
class Random {
 public:
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The number of edges of a node: one to the next node, so that all nodes can be reached, and some others.
std::uint64_t count_edges(std::uint64_t node, std::uint64_t node_count) {
  constexpr std::array<std::uint64_t, 8> others{2, 1, 0, 4, 1, 2, 5, 0};
  return others[node % others.size()] + (node + 1 < node_count ? 1 : 0);
}

class Text {
 public:
  explicit Text(std::FILE* file) : file_(file) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { flush(); }

  template <class... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    constexpr std::size_t enough = 65536;
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    if (text_.size() > enough) flush();
  }

 private:
  void flush() {
    std::fwrite(text_.data(), 1, text_.size(), file_);
    text_.clear();
  }

  std::FILE* file_;
  std::string text_;
};

void write_edges(Text& text, std::uint64_t node_count, std::uint64_t string_count) {
  Random random;
  for (std::uint64_t node = 0; node < node_count; ++node) {
    const std::uint64_t count = count_edges(node, node_count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool leads_on = i == 0 && node + 1 < node_count;
      const std::uint64_t to = leads_on ? node + 1 : random.below(node_count);
      const std::string_view comma = node == 0 && i == 0 ? "" : ",";
      text.add("{}{},{},{}\n", comma, 2 + node % 2, random.below(string_count), to * columns);
    }
  }
}

}  // namespace

void write_snapshot(std::uint64_t byte_count, std::FILE* file) {
  const std::uint64_t node_count = byte_count / node_bytes + 2;
  const std::uint64_t string_count = node_count / 3 + 2;
  std::uint64_t edge_count = 0;
  for (std::uint64_t node = 0; node < node_count; ++node) edge_count += count_edges(node, node_count);
  Text text(file);
  text.add("{{\"snapshot\":{{\"meta\":{},\"node_count\":{},\"edge_count\":{},\"trace_function_count\":0}},\n",
           meta, node_count, edge_count);
  text.add("\"nodes\":[9,1,1,0,{},0,0\n", count_edges(0, node_count));
  for (std::uint64_t node = 1; node < node_count; ++node) {
    text.add(",{},{},{},{},{},0,0\n", node % 16, node / 3 + 1, 2 * node + 1, 8 * (node % 40),
             count_edges(node, node_count));
  }
  text.add("],\n\"edges\":[");
  write_edges(text, node_count, string_count);
  text.add("],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"locations\":[],\n");
  text.add("\"strings\":[\"<dummy>\",\n\"\"");
  for (std::uint64_t i = 2; i < string_count; ++i) text.add(",\n\"item{}\"", i);
  text.add("]}}");
}

}  // namespace heapcheck::bench
