#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"

#include <algorithm>

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

/// The types of nodes that V8 always writes with one `map`. Strings may also have no edges at all.
constexpr std::string_view mapped_types[] = {"closure", "symbol",        "bigint",
                                             "regexp",  "sliced string", "concatenated string"};
/// The types of nodes that never have two. Others may have edges that the embedder named.
constexpr std::string_view internal_types[] = {"array", "code", "hidden", "number", "object shape"};

MapNeed find_need(std::string_view type) {
  if (std::ranges::find(mapped_types, type) != std::end(mapped_types)) return MapNeed::one;
  if (std::ranges::find(internal_types, type) != std::end(internal_types)) return MapNeed::at_most_one;
  return type == "string" ? MapNeed::one_if_any_edge : MapNeed::any;
}

std::optional<std::uint64_t> find_string(const format::StringTable& strings, std::string_view text) {
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (strings[i] == text) return i;
  }
  return std::nullopt;
}

constexpr std::uint64_t many_nodes = 1000;

}  // namespace

MapScan::MapScan(const Snapshot& snapshot)
    : node_types_(snapshot, Section::nodes, "type"),
      edge_counts_(snapshot, Section::nodes, "edge_count"),
      internal_(find_edge_type(snapshot, "internal")),
      map_(find_string(snapshot.strings.table, "map")) {
  const auto* names = snapshot.schema.find_type_names(Section::nodes, "type");
  if (!node_types_ || !edge_counts_ || names == nullptr || !map_) return;
  // Wider values are in damaged files only.
  if (node_types_.column->largest() > UINT8_MAX || edge_counts_.column->largest() > UINT32_MAX) return;
  for (const std::string& name : *names) needs_.push_back(find_need(name));
  needs_.resize(std::max<std::size_t>(needs_.size(), UINT8_MAX + 1), MapNeed::any);
  rows_ = node_types_.column->count();
}

void MapScan::count_edges(const EdgeChunk& chunk) {
  const std::uint64_t name = *map_;
  for (std::size_t i = 0; i < chunk.count; ++i) {
    const bool is_map = chunk.types[i] == internal_ && chunk.names[i] == name;
    before_[i + 1] = before_[i] + (is_map ? 1U : 0U);
  }
}

MapScan::Node MapScan::load_node() {
  const auto i = static_cast<std::size_t>(row_ % format::chunk_rows);
  if (i == 0) {
    node_types_.column->decode_chunk(row_ / format::chunk_rows, types_);
    edge_counts_.column->decode_chunk(row_ / format::chunk_rows, counts_);
  }
  return {needs_[types_[i]], counts_[i]};
}

void MapScan::add(const EdgeChunk& chunk) {
  if (rows_ == 0) return;
  count_edges(chunk);
  const std::uint64_t chunk_end = chunk.first + chunk.count;
  while (row_ < rows_) {
    const Node node = load_node();
    if (node.edge_count > chunk_end - edge_) break;
    const std::uint32_t end = before_[static_cast<std::size_t>(edge_ + node.edge_count - chunk.first)];
    check_node(node, end - begin_);
    begin_ = end;
  }
  begin_ -= before_[chunk.count];
}

void MapScan::check_node(const Node& node, std::uint64_t found) {
  const bool is_needed =
      node.need == MapNeed::one || (node.need == MapNeed::one_if_any_edge && node.edge_count != 0);
  total_ += found;
  needed_ += is_needed ? 1U : 0U;
  if (found > 1 || (is_needed && found == 0))
    note({row_, edge_, found, 1}, is_needed || node.need == MapNeed::at_most_one);
  ++row_;
  edge_ += node.edge_count;
}

void MapScan::note(const MapMismatch& node, bool is_wrong) {
  has_two_ = has_two_ || node.found > 1;
  if (!is_wrong) return;
  const std::uint64_t count = mismatch_.nodes + 1;
  if (count == 1) mismatch_ = node;
  mismatch_.nodes = count;
}

std::optional<MapMismatch> MapScan::finish() {
  for (; row_ < rows_; begin_ = 0) check_node(load_node(), 0U - begin_);
  // A writer that follows the rule writes at least one such edge for each node that needs one, whichever
  // node the edge is counted for. Programs that cut a small piece out of a snapshot drop some.
  const bool is_followed = total_ >= needed_ - needed_ / 8 && (has_two_ || needed_ >= many_nodes);
  return is_followed && mismatch_.nodes != 0 ? std::optional(mismatch_) : std::nullopt;
}

std::optional<MapMismatch> find_map_mismatch(const Snapshot& snapshot) {
  MapScan scan(snapshot);
  EdgeChunks edges(snapshot);
  for (std::uint64_t chunk = 0; chunk < edges.count(); ++chunk) scan.add(edges.load(chunk));
  return scan.finish();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
