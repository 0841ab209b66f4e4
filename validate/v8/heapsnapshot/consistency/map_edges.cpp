#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"

#include <algorithm>
#include <climits>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

/// The types of nodes that V8 always writes with one `map` edge. Strings may also have no edges at all.
constexpr std::string_view mapped_types[] = {"object", "closure",       "bigint",
                                             "regexp", "sliced string", "concatenated string"};
/// The types of nodes that never have two `map` edges. Nodes of other types may have edges that are named by
/// the embedder.
constexpr std::string_view internal_types[] = {"array", "code", "hidden", "number", "object shape"};

/// The types of edges that V8 writes before `map`. In most nodes, hidden edges come after it.
constexpr std::string_view early_types[] = {"context", "property", "shortcut"};

constexpr std::uint32_t no_name = UINT32_MAX;

/// The index of the string, or no_name if there is no such string.
std::uint32_t find_name(const format::StringTable& strings, std::string_view text) {
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(strings.count(), no_name); ++i) {
    if (strings[i] == text) return i;
  }
  return no_name;
}

EdgeKinds find_kinds(const Snapshot& snapshot) {
  EdgeKinds kinds{.of_type = {}, .map = find_name(snapshot.strings.table, "map")};
  const auto mark = [&](std::string_view name, unsigned kind) {
    const std::uint64_t type = find_edge_type(snapshot, name);
    if (type < kinds.of_type.size())
      kinds.of_type[static_cast<std::size_t>(type)] |= static_cast<std::uint8_t>(kind);
  };
  mark("internal", EdgeKinds::internal);
  mark("hidden", EdgeKinds::hidden);
  for (const std::string_view name : early_types) mark(name, EdgeKinds::early);
  return kinds;
}

constexpr std::uint64_t many_nodes = 1000;
constexpr std::uint64_t misplaced = std::uint64_t{1} << 32;

/// Groups of nodes, by type and by type and name, that have a node without its `map`. A program that removes
/// edges, such as those of all weak maps, removes them from the whole group; damage does not.
class Kinds {
 public:
  Kinds(const Field& types, const Field& names, const std::vector<EdgeMismatch>& wrong)
      : types_(types.column), names_(names.column) {
    for (const EdgeMismatch& node : wrong) {
      if (node.found != 0) continue;
      for (const std::uint64_t key : keys_of(node.row)) ++kinds_[key].without;
    }
    if (kinds_.empty()) return;
    for (std::uint64_t row = 0; row < types_->count(); ++row) count(row);
  }

  /// Whether the node is one of at least two in a group in which no node has a `map`.
  [[nodiscard]] bool agree_without(const EdgeMismatch& node) const {
    return node.found == 0 && std::ranges::any_of(keys_of(node.row), [&](std::uint64_t key) {
             const Kind& kind = kinds_.at(key);
             return kind.all > 1 && kind.without == kind.all;
           });
  }

 private:
  struct Kind {
    std::uint64_t without = 0;
    std::uint64_t all = 0;
  };

  /// Types are below 256, and names below the number of strings.
  [[nodiscard]] std::array<std::uint64_t, 2> keys_of(std::uint64_t row) const {
    constexpr std::uint64_t any_name = UINT64_MAX >> CHAR_BIT;
    const std::uint64_t type = (*types_)[row];
    return {any_name << CHAR_BIT | type, (names_ != nullptr ? (*names_)[row] : any_name) << CHAR_BIT | type};
  }

  void count(std::uint64_t row) {
    for (const std::uint64_t key : keys_of(row)) {
      if (const auto kind = kinds_.find(key); kind != kinds_.end()) ++kind->second.all;
    }
  }

  const format::ChunkedColumn* types_;
  const format::ChunkedColumn* names_;
  std::unordered_map<std::uint64_t, Kind, core::KeyedHash> kinds_;
};

}  // namespace

MapNeed find_map_need(std::string_view type) {
  if (std::ranges::find(mapped_types, type) != std::end(mapped_types)) return MapNeed::one;
  if (std::ranges::find(internal_types, type) != std::end(internal_types)) return MapNeed::at_most_one;
  return type == "string" || type == "symbol" ? MapNeed::one_if_any_edge : MapNeed::any;
}

MapScan::MapScan(const Snapshot& snapshot)
    : node_types_(snapshot, Section::nodes, "type"),
      node_names_(snapshot, Section::nodes, "name"),
      edge_counts_(snapshot, Section::nodes, "edge_count"),
      kinds_(find_kinds(snapshot)) {
  const auto* names = snapshot.schema.find_type_names(Section::nodes, "type");
  if (!node_types_ || !edge_counts_ || names == nullptr || kinds_.map == no_name) return;
  // Wider values occur only in damaged files.
  if (node_types_.column->largest() > UINT8_MAX || edge_counts_.column->largest() > UINT32_MAX) return;
  for (const std::string& name : *names) needs_.push_back(find_map_need(name));
  needs_.resize(std::max<std::size_t>(needs_.size(), UINT8_MAX + 1), MapNeed::any);
  rows_ = node_types_.column->count();
}

void MapScan::count_edges(const EdgeChunk& chunk) {
  const EdgeKinds kinds = kinds_;
  unsigned is_late = is_late_ ? 1 : 0;
  std::uint64_t sums = 0;
  // The kinds of edges are hard to predict, so the loop has no branches.
  for (std::size_t i = 0; i < chunk.count; ++i) {
    before_[i] = sums;
    const unsigned kind = kinds.of_type[chunk.types[i]];
    const unsigned is_map = kind / EdgeKinds::internal & (chunk.names[i] == kinds.map ? 1U : 0U);
    const unsigned is_misplaced = kind / EdgeKinds::early & is_late;
    sums += is_map + is_misplaced * misplaced;
    is_late = is_map | (kind / EdgeKinds::hidden & 1U);
  }
  before_[chunk.count] = sums;
  is_late_ = is_late != 0;
  edges_ = chunk.first + chunk.count;
}

MapScan::Node MapScan::load_node() {
  const auto i = static_cast<std::size_t>(row_ % format::chunk_rows);
  if (i == 0) {
    node_types_.column->decode_chunk(row_ / format::chunk_rows, types_);
    edge_counts_.column->decode_chunk(row_ / format::chunk_rows, counts_);
  }
  return {needs_[types_[i]], counts_[i]};
}

/// Handles the first edge of a node, which may follow any edge of the previous node.
void MapScan::begin_node(const EdgeChunk& chunk) {
  const auto at = static_cast<std::size_t>(edge_ - chunk.first);
  begin_ = before_[at] + (before_[at + 1] - before_[at]) / misplaced * misplaced;
  begins_hidden_ = (kinds_.of_type[chunk.types[at]] & EdgeKinds::hidden) != 0;
}

void MapScan::add(const EdgeChunk& chunk) {
  if (rows_ == 0) return;
  count_edges(chunk);
  while (row_ < rows_) {
    const Node node = load_node();
    if (node.edge_count != 0 && edge_ >= chunk.first && edge_ < edges_) begin_node(chunk);
    if (node.edge_count > edges_ - edge_) break;
    const auto end = static_cast<std::size_t>(edge_ + node.edge_count - chunk.first);
    check_node(node, node.edge_count == 0 ? 0 : before_[end] - begin_);
  }
  begin_ -= before_[chunk.count];
}

void MapScan::check_node(const Node& node, std::uint64_t counted) {
  const std::uint64_t found = counted % misplaced;
  const bool is_needed =
      node.need == MapNeed::one || (node.need == MapNeed::one_if_any_edge && node.edge_count != 0);
  total_ += found;
  needed_ += is_needed ? 1U : 0U;
  has_two_ = has_two_ || found > 1;
  if (is_needed ? found != 1 : found > 1 && node.need == MapNeed::at_most_one)
    wrong_counts_.push_back({EdgeMismatch::Kind::map_count, row_, edge_, found, 1});
  const bool begins_wrong = begins_hidden_ && found != 0;
  if (begins_wrong || counted >= misplaced) {
    if (wrong_order_.nodes == 0)
      wrong_order_ = {begins_wrong ? EdgeMismatch::Kind::hidden_first : EdgeMismatch::Kind::late_edge, row_,
                      edge_, found, 0};
    ++wrong_order_.nodes;
  }
  ++row_;
  edge_ += node.edge_count;
}

/// The first node with a wrong number of `map` edges, and how many there are.
EdgeMismatch MapScan::find_wrong_count() const {
  EdgeMismatch first;
  const Kinds kinds(node_types_, node_names_, wrong_counts_);
  for (const EdgeMismatch& node : wrong_counts_) {
    if (kinds.agree_without(node)) continue;
    if (first.nodes++ == 0) first = node;
  }
  return first;
}

std::optional<EdgeMismatch> MapScan::finish() {
  while (row_ < rows_) check_node(load_node(), edge_ < edges_ ? 0 - begin_ : 0);
  // A writer that follows the rule writes at least one such edge for each node that needs one, no matter
  // which node the edge ends up at. Programs that cut a small piece out of a snapshot drop some of these
  // edges.
  if (total_ < needed_ - needed_ / 8 || needed_ == 0) return std::nullopt;
  const EdgeMismatch wrong_count = has_two_ || needed_ >= many_nodes ? find_wrong_count() : EdgeMismatch{};
  const bool is_order_first = wrong_count.nodes == 0 || wrong_order_.row < wrong_count.row;
  const EdgeMismatch& first = wrong_order_.nodes != 0 && is_order_first ? wrong_order_ : wrong_count;
  return first.nodes != 0 ? std::optional(first) : std::nullopt;
}

std::optional<EdgeMismatch> find_edge_mismatch(const Snapshot& snapshot) {
  MapScan scan(snapshot);
  EdgeChunks edges(snapshot);
  for (std::uint64_t chunk = 0; chunk < edges.count(); ++chunk) scan.add(edges.load(chunk));
  return scan.finish();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
