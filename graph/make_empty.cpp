#include "graph/make_empty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::graph {
namespace {

using core::checked_add;
using core::checked_multiply;

/// What a number of 2^32 or more adds to each row of its column.
constexpr std::uint64_t wide_bytes = sizeof(std::uint64_t) - sizeof(std::uint32_t);
constexpr std::uint64_t edge_bytes = sizeof(std::uint8_t) + 2 * sizeof(std::uint32_t);

/// The size of all columns and strings in bytes; empty if it is 2^64 or more.
std::optional<std::uint64_t> memory_of(const Extent& extent) {
  std::optional<std::uint64_t> total = extent.text_bytes;
  const std::pair<std::uint64_t, std::uint64_t> columns[] = {
      {extent.nodes, Graph::node_bytes + wide_bytes * extent.wide_columns},
      {extent.edges, edge_bytes},
      {extent.texts, sizeof(std::size_t)},
      {extent.places, sizeof(NodePlace)},
      {extent.distinct_places, sizeof(SourcePlace)},
      {extent.stack_bytes, 1},
      {extent.states, sizeof(DomState)}};
  for (const auto& [count, bytes] : columns) {
    const auto product = checked_multiply(count, bytes);
    total = total && product ? checked_add(*total, *product) : std::nullopt;
  }
  return total;
}

std::unexpected<Error> reach_limit(std::string why) {
  return std::unexpected(Error{ErrorKind::limit, std::move(why)});
}

}  // namespace

Result<void> check_extent(const Extent& extent, const Limits& limits) {
  if (extent.nodes == 0) return refuse("the snapshot has no nodes, expected a root");
  const std::uint64_t largest = std::max(extent.nodes, extent.texts);
  if (largest >= UINT32_MAX)
    return reach_limit(fmt::format("the graph has {} {}, more than the limit of {}", largest,
                                   largest == extent.nodes ? "nodes" : "names", UINT32_MAX - 1));
  const auto memory = memory_of(extent);
  if (!memory || *memory > limits.max_memory)
    return reach_limit(fmt::format("the graph of {} and {} needs more memory than the limit of {} bytes",
                                   core::counted(extent.nodes, "node"), core::counted(extent.edges, "edge"),
                                   limits.max_memory));
  return {};
}

Result<Graph> make_empty(const Extent& extent, const Limits& limits) {
  if (const auto checked = check_extent(extent, limits); !checked) return std::unexpected(checked.error());
  Graph graph;
  graph.node_places.reserve(static_cast<std::size_t>(extent.places));
  graph.source_places.reserve(static_cast<std::size_t>(extent.distinct_places));
  graph.texts.reserve(static_cast<std::size_t>(extent.texts), static_cast<std::size_t>(extent.text_bytes));
  return graph;
}

}  // namespace heapcheck::graph
