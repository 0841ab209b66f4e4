// Measures the time needed to find dominators, retained sizes and distances, and the memory needed in
// addition to the graph:
//   bench_analysis shapes [NODES]         graphs of several shapes with NODES nodes, half and a quarter of it
//   bench_analysis file FILE [SNAPSHOT]   a snapshot of a file (the first), from opening the file on
//   bench_analysis nodes FILE [SNAPSHOT]  `[id,distance,self size,retained size]` for each node
#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/dominators.hpp"
#include "graph/breadth_first.hpp"
#include "graph/retention.hpp"
#include "heapcheck/dump.hpp"

namespace {

using namespace heapcheck;

class Clock {
 public:
  /// The seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - std::exchange(last_, now);
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// A line of /proc/self/status, such as `VmRSS`, in bytes.
double status_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return 1024 * std::strtod(line.c_str() + name.size() + 1, nullptr);
  }
  return 0;
}

/// Sets the peak of this process's memory to its current memory.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << '5'; }

void report(const char* name, const Graph& graph) {
  const double nodes = graph.node_count();
  reset_peak();
  const double before = status_bytes("VmRSS:");
  Clock clock;
  const analyze::Retention retention = analyze::find_retention(graph);
  const double seconds = clock.lap();
  const double bytes = status_bytes("VmHWM:") - before;
  clock.lap();
  const std::vector<std::uint32_t> distance = graph::find_distances(graph);
  fmt::print(
      "{:<12} {:9} nodes {:9} edges  {:6.2f} s retained sizes, {:5.1f} bytes a node; {:5.2f} s distances\n",
      name, graph.node_count(), graph.edge_count(), seconds, bytes / nodes, clock.lap());
}

/// The node to which edge `i` of a node leads, by shape. There are two edges for each node.
using Target = std::uint32_t (*)(std::uint32_t node, std::uint32_t i, std::uint32_t count,
                                 std::mt19937& random);

Graph make_graph(std::uint32_t count, Target target) {
  std::mt19937 random(1);
  Graph graph;
  graph.node_kinds = {{.name = "node"}};
  graph.edge_kinds = {{.name = "edge"}};
  graph.texts.add({});
  graph.node_kind.resize(count);
  graph.node_name.resize(count);
  graph.node_id.resize(count);
  graph.edge_kind.resize(std::size_t{2} * count);
  graph.edge_name.resize(std::size_t{2} * count);
  for (std::uint32_t node = 0; node < count; ++node) {
    graph.node_size.push_back(16);
    graph.first_edge.push_back(std::uint64_t{2} * node);
    for (std::uint32_t i = 0; i < 2; ++i) graph.edge_target.push_back(target(node, i, count, random) % count);
  }
  graph.first_edge.push_back(std::uint64_t{2} * count);
  return graph;
}

struct Shape {
  const char* name;
  Target target;
};
constexpr Shape shapes[] = {
    {"list", [](std::uint32_t node, std::uint32_t i, std::uint32_t count,
                std::mt19937&) { return i == 0 ? node + 1 : node + count - 1; }},
    {"reverse list", [](std::uint32_t node, std::uint32_t i, std::uint32_t count,
                        std::mt19937&) { return i == 0 ? node + count - 1 : node + 1; }},
    {"random", [](std::uint32_t node, std::uint32_t i, std::uint32_t,
                  std::mt19937& random) { return i == 0 ? node + 1 : static_cast<std::uint32_t>(random()); }},
    {"binary tree",
     [](std::uint32_t node, std::uint32_t i, std::uint32_t count, std::mt19937&) {
       return std::uint64_t{2} * node + i + 1 < count ? 2 * node + i + 1 : node;
     }},
    {"deep tree",
     [](std::uint32_t node, std::uint32_t i, std::uint32_t count, std::mt19937&) {
       return node % 2 == 0 && std::uint64_t{node} + 1 + i < count ? node + 1 + i : node;
     }},
    {"ladder", [](std::uint32_t node, std::uint32_t i, std::uint32_t, std::mt19937& random) {
       return i == 0 || node == 0 ? node + 1 : static_cast<std::uint32_t>(random()) % node;
     }}};

/// A graph in which the root leads to every node, and every node leads back to it.
Graph make_star(std::uint32_t count) {
  Graph graph = make_graph(
      count, [](std::uint32_t, std::uint32_t, std::uint32_t, std::mt19937&) { return std::uint32_t{0}; });
  for (std::uint32_t node = 0; node < count; ++node) {
    graph.edge_target[node] = node;
    graph.first_edge.set(std::size_t{node} + 1, std::uint64_t{count} + node + 1);
  }
  return graph;
}

int measure_shapes(std::uint32_t largest) {
  for (const std::uint32_t count : {largest / 4, largest / 2, largest}) {
    for (const Shape& shape : shapes) report(shape.name, make_graph(count, shape.target));
    report("star", make_star(count));
  }
  return 0;
}

Result<Graph> read_graph(const char* path, std::uint64_t index) {
  const auto dump = open(path);
  if (!dump) return std::unexpected(dump.error());
  const auto snapshot = dump->snapshot(index);
  if (!snapshot) return std::unexpected(snapshot.error());
  return snapshot->graph();
}

void measure_parts(const Graph& graph, Clock& clock) {
  const graph::EdgeSet edges = graph::find_retaining_edges(graph);
  fmt::print("{:6.2f} s retaining edges\n", clock.lap());
  const auto dominators = analyze::find_dominators(graph, edges, analyze::Unreached::held_by_root);
  fmt::print("{:6.2f} s dominators\n", clock.lap());
  const auto sizes = graph::find_counted_sizes(graph);
  fmt::print("{:6.2f} s sizes\n", clock.lap());
  const auto retained = analyze::find_retained_sizes(dominators, sizes);
  fmt::print("{:6.2f} s retained sizes; the root retains {} bytes\n", clock.lap(), retained[0]);
  const auto distance = graph::find_distances(graph);
  fmt::print("{:6.2f} s distances\n", clock.lap());
}

int print_nodes(const Graph& graph) {
  const analyze::Retention retention = analyze::find_retention(graph);
  const auto distance = graph::find_distances(graph);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i)
    fmt::print("[{},{},{},{}]\n", graph.node_id[i], static_cast<std::int64_t>(distance[i]),
               retention.sizes[i], retention.retained[i]);
  return 0;
}

int measure_file(const char* path, std::uint64_t snapshot, bool prints_nodes) {
  Clock clock;
  const auto graph = read_graph(path, snapshot);
  if (!graph) {
    fmt::print(stderr, "{}\n", graph.error().message);
    return 1;
  }
  if (prints_nodes) return print_nodes(*graph);
  fmt::print("{:6.2f} s graph of {} nodes and {} edges\n", clock.lap(), graph->node_count(),
             graph->edge_count());
  const double read = status_bytes("VmHWM:");
  const double kept = status_bytes("VmRSS:");
  measure_parts(*graph, clock);
  fmt::print("{:.0f} MB peak to read, {:.0f} MB kept, {:.0f} MB peak\n", read * 1e-6, kept * 1e-6,
             status_bytes("VmHWM:") * 1e-6);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "shapes")
    return measure_shapes(argc > 2 ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10))
                                   : 5'000'000);
  if ((argc == 3 || argc == 4) && (command == "file" || command == "nodes"))
    return measure_file(argv[2], argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0, command == "nodes");
  fmt::print(stderr, "usage: bench_analysis shapes [NODES] | file FILE [SNAPSHOT] | nodes FILE [SNAPSHOT]\n");
  return 2;
}
