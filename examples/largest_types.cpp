// Prints the ten largest types, by total bytes, of a dump's first snapshot: largest_types FILE
#include <heapcheck/dump.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <ranges>

int fail(const heapcheck::Error& error) {
  std::cerr << error.message << '\n';
  return 4;
}

int main(int argc, char** argv) {
  const auto dump = heapcheck::open(argc == 2 ? argv[1] : "-");
  if (!dump) return fail(dump.error());
  const auto snapshot = dump->snapshot(0);
  if (!snapshot) return fail(snapshot.error());
  const auto graph = snapshot->graph();
  if (!graph) return fail(graph.error());

  std::map<std::string_view, std::uint64_t> bytes;
  for (const heapcheck::Node node : graph->nodes()) bytes[node.name()] += node.size();
  std::vector<std::pair<std::uint64_t, std::string_view>> rows;
  for (const auto& [name, size] : bytes) rows.emplace_back(size, name);
  std::ranges::sort(rows, std::ranges::greater());
  for (const auto& [size, name] : rows | std::views::take(10)) std::cout << size << ' ' << name << '\n';
}
