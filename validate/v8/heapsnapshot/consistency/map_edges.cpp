#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"

#include <algorithm>
#include <array>

#include "formats/core/checked.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

using format::chunk_rows;
using format::ChunkedColumn;

/// The types of nodes that V8 always writes with one `map`. Strings may also have no edges at all.
constexpr std::string_view mapped_types[] = {"closure", "symbol",        "bigint",
                                             "regexp",  "sliced string", "concatenated string"};
/// The types of nodes that never have two. Others may have edges that the embedder named.
constexpr std::string_view internal_types[] = {"array", "code", "hidden", "number", "object shape"};

/// How many `map` edges a node of a type must have.
enum class Need : std::uint8_t { any, at_most_one, one, one_if_any_edge };

Need find_need(std::string_view type) {
  if (std::ranges::find(mapped_types, type) != std::end(mapped_types)) return Need::one;
  if (std::ranges::find(internal_types, type) != std::end(internal_types)) return Need::at_most_one;
  return type == "string" ? Need::one_if_any_edge : Need::any;
}

std::optional<std::uint64_t> find_string(const format::StringTable& strings, std::string_view text) {
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (strings[i] == text) return i;
  }
  return std::nullopt;
}

/// The type and the name of the edges to count.
struct MapEdge {
  std::uint64_t type;
  std::uint64_t name;
};

std::optional<MapEdge> find_map_edge(const Snapshot& snapshot) {
  const auto* types = snapshot.schema.find_type_names(Section::edges, "type");
  if (types == nullptr) return std::nullopt;
  const auto internal = std::ranges::find(*types, "internal");
  const auto name = find_string(snapshot.strings.table, "map");
  if (internal == types->end() || !name) return std::nullopt;
  return MapEdge{static_cast<std::uint64_t>(internal - types->begin()), *name};
}

/// Counts the `map` edges before an edge, for one chunk of edges after another.
class MapCounter {
 public:
  MapCounter(const Snapshot& snapshot, MapEdge wanted)
      : types_(snapshot.find_column(Section::edges, "type")),
        names_(snapshot.find_column(Section::edges, "name_or_index")),
        wanted_(wanted) {}

  /// The number of `map` edges before the edge `end`, which must not decrease from call to call.
  std::uint64_t count_before(std::uint64_t end) {
    end = std::min(end, names_->count());
    while (end > first_ + size_) load();
    return before_[static_cast<std::size_t>(end - first_)];
  }

 private:
  void load() {
    const std::uint64_t chunk = (first_ + size_) / chunk_rows;
    before_[0] = before_[size_];
    first_ = chunk * chunk_rows;
    size_ = names_->decode_chunk(chunk, name_values_);
    types_->decode_chunk(chunk, type_values_);
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t difference = (type_values_[i] ^ wanted_.type) | (name_values_[i] ^ wanted_.name);
      before_[i + 1] = before_[i] + (difference == 0 ? 1U : 0U);
    }
  }

  const ChunkedColumn* types_;
  const ChunkedColumn* names_;
  MapEdge wanted_;
  std::uint64_t first_ = 0;  // the first edge of the chunk
  std::size_t size_ = 0;
  ChunkValues type_values_{};
  ChunkValues name_values_{};
  std::array<std::uint64_t, chunk_rows + 1> before_{};
};

/// Compares the needs of nodes with what they have. Borrows everything.
class NodeScan {
 public:
  NodeScan(const std::vector<Need>& needs, MapCounter& counter) : needs_(&needs), counter_(&counter) {}

  void add(std::uint64_t row, std::uint64_t type, std::uint64_t edge_count) {
    end_ = core::saturating_add(end_, edge_count);
    const std::uint64_t before = before_;
    before_ = counter_->count_before(end_);
    const Need need = type < needs_->size() ? (*needs_)[static_cast<std::size_t>(type)] : Need::any;
    const bool is_needed = need == Need::one || (need == Need::one_if_any_edge && edge_count != 0);
    needed_ += is_needed ? 1U : 0U;
    const std::uint64_t found = before_ - before;
    if (found == 1 || (!is_needed && found == 0)) return;
    note({row, end_ - edge_count, found, 1}, is_needed || need == Need::at_most_one);
  }

  /// A writer that follows the rule writes at least one such edge for each node that needs one, whichever
  /// node the edge is counted for. Programs that cut a small piece out of a snapshot drop some.
  [[nodiscard]] std::optional<MapMismatch> result() const {
    const bool is_followed = before_ >= needed_ - needed_ / 8 && (has_two_ || needed_ >= many_nodes);
    return is_followed && mismatch_.nodes != 0 ? std::optional(mismatch_) : std::nullopt;
  }

 private:
  static constexpr std::uint64_t many_nodes = 1000;

  void note(const MapMismatch& node, bool is_wrong) {
    has_two_ = has_two_ || node.found > 1;
    if (!is_wrong) return;
    const std::uint64_t count = mismatch_.nodes + 1;
    if (count == 1) mismatch_ = node;
    mismatch_.nodes = count;
  }

  const std::vector<Need>* needs_;
  MapCounter* counter_;
  MapMismatch mismatch_;
  std::uint64_t end_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t needed_ = 0;
  bool has_two_ = false;
};

}  // namespace

std::optional<MapMismatch> find_map_mismatch(const Snapshot& snapshot) {
  const Field types(snapshot, Section::nodes, "type");
  const Field counts(snapshot, Section::nodes, "edge_count");
  const Field names(snapshot, Section::edges, "name_or_index");
  const Field edge_types(snapshot, Section::edges, "type");
  const auto* type_names = snapshot.schema.find_type_names(Section::nodes, "type");
  const auto map = find_map_edge(snapshot);
  if (!types || !counts || !names || !edge_types || type_names == nullptr || !map) return std::nullopt;
  std::vector<Need> needs;
  for (const std::string& type : *type_names) needs.push_back(find_need(type));
  MapCounter counter(snapshot, *map);
  NodeScan scan(needs, counter);
  ChunkValues type_values;
  ChunkValues count_values;
  for (std::uint64_t chunk = 0; chunk < types.column->chunk_count(); ++chunk) {
    const std::size_t count = types.column->decode_chunk(chunk, type_values);
    counts.column->decode_chunk(chunk, count_values);
    for (std::size_t i = 0; i < count; ++i) scan.add(chunk * chunk_rows + i, type_values[i], count_values[i]);
  }
  return scan.result();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
