#include "export/writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "export/heapsnapshot/names.hpp"
#include "export/heapsnapshot/stable_ids.hpp"
#include "formats/core/checked.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

namespace heapcheck::exports::heapsnapshot {
namespace {

namespace format = v8::heapsnapshot;
using format::FieldType;
using format::Section;

using Fields = std::vector<std::string>;

// The columns and types that Node 22 writes, without allocation traces and WebAssembly objects.
const Fields node_fields = [] {
  Fields fields(format::node_fields.begin(), format::node_fields.end());
  std::erase(fields, "trace_node_id");
  return fields;
}();
const Fields node_types(format::node_types.begin(), format::node_types.end() - 1);
const Fields edge_fields(format::edge_fields.begin(), format::edge_fields.end());
const Fields edge_types(format::edge_types.begin(), format::edge_types.end());
const Fields location_fields(format::location_fields.begin(), format::location_fields.end());

std::uint64_t find_type(const Fields& types, std::string_view name) {
  return static_cast<std::uint64_t>(std::ranges::find(types, name) - types.begin());
}

/// One list of types, followed by a word for each further column.
std::vector<FieldType> make_types(const Fields& types, std::initializer_list<std::string_view> words) {
  std::vector<FieldType> made{{.is_list = true, .names = types}};
  for (const std::string_view word : words) made.push_back({.names = {std::string(word)}});
  return made;
}

/// Appends the rows of a section.
class Rows {
 public:
  Rows(format::Snapshot& snapshot, Section section, const Fields& fields)
      : table_(snapshot.table(section)), width_(fields.size()) {
    snapshot.schema.fields[format::index_of(section)] = fields;
    table_.reset(width_);
    table_.extent = format::Extent::whole;
    values_.reserve(width_ * format::chunk_rows);
  }
  void add(std::initializer_list<std::uint64_t> row) {
    values_.insert(values_.end(), row);
    table_.value_count += width_;
    if (values_.size() == width_ * format::chunk_rows) flush();
  }
  void flush() {
    if (!values_.empty()) table_.append_chunk(values_);
    values_.clear();
  }

 private:
  format::Table& table_;
  std::size_t width_;
  std::vector<std::uint64_t> values_;
};

class SnapshotMaker {
 public:
  explicit SnapshotMaker(const Graph& graph) : graph_(graph), names_(graph) {}

  format::Snapshot make() {
    snapshot_.schema.is_present = true;
    snapshot_.header.is_present = true;
    snapshot_.has_record_lines = true;
    add_nodes();
    add_edges();
    add_locations();
    snapshot_.strings.table = names_.take();
    snapshot_.strings.extent = format::Extent::whole;
    return std::move(snapshot_);
  }

  [[nodiscard]] Written describe() const {
    Written written{.amounts = {{"nodes", graph_.node_count()},
                                {"edges", graph_.edge_count()},
                                {"bytes", bytes_},
                                {"places", graph_.node_places.size()}}};
    written.notes = {
        "an id identifies the N-th node with a name; the dump does not show whether the N-th node of another "
        "snapshot is the same one"};
    if (wide_sizes_ != 0)
      written.losses.push_back(
          {"self sizes", wide_sizes_, "DevTools and memlab keep only the lowest 32 bits"});
    if (names_.shortened() != 0)
      written.losses.push_back({"names", names_.shortened(), "truncated to 1,024 bytes, as in V8"});
    return written;
  }

 private:
  void add_nodes() {
    constexpr std::uint64_t first_wide = std::uint64_t{1} << 32U;
    const std::uint64_t object = find_type(node_types, "object");
    const std::uint64_t synthetic = find_type(node_types, "synthetic");
    const std::vector<std::uint32_t> ids = make_stable_ids(graph_);
    Rows rows(snapshot_, Section::nodes, node_fields);
    for (std::uint32_t i = 0; i < graph_.node_count(); ++i) {
      const bool is_root = graph_.node(i).kind().group == NodeGroup::root;
      const std::uint64_t size = graph_.node_size[i];
      rows.add({is_root ? synthetic : object, names_.of_node(i), ids[i], size,
                graph_.first_edge[i + std::size_t{1}] - graph_.first_edge[i], 0});
      bytes_ = core::saturating_add(bytes_, size);
      if (size >= first_wide) ++wide_sizes_;
    }
    rows.flush();
    snapshot_.header.node_count = {graph_.node_count(), {}};
    snapshot_.schema.node_types = make_types(node_types, {"string", "number", "number", "number", "number"});
  }

  void add_edges() {
    const std::uint64_t element = find_type(edge_types, "element");
    const std::uint64_t property = find_type(edge_types, "property");
    const std::uint64_t internal = find_type(edge_types, "internal");
    Rows rows(snapshot_, Section::edges, edge_fields);
    for (std::uint64_t i = 0; i < graph_.edge_count(); ++i) {
      const Edge edge(graph_, i);
      const std::uint64_t target = std::uint64_t{edge.target()} * node_fields.size();
      if (edge.kind().has_index)
        rows.add({element, edge.number(), target});
      else
        rows.add({edge.name().empty() ? internal : property, names_.of_text(edge.number()), target});
    }
    rows.flush();
    snapshot_.header.edge_count = {graph_.edge_count(), {}};
    snapshot_.schema.edge_types = make_types(edge_types, {"string_or_number", "node"});
  }

  /// The script of a place is the string that contains the path of the file. Lines and columns are counted
  /// from 0.
  void add_locations() {
    Rows rows(snapshot_, Section::locations, location_fields);
    for (const NodePlace& node : graph_.node_places) {
      const SourcePlace& place = graph_.source_places[node.place];
      rows.add({std::uint64_t{node.node} * node_fields.size(), names_.of_text(place.file),
                place.line == 0 ? 0U : place.line - 1U, place.column == 0 ? 0U : place.column - 1U});
    }
    rows.flush();
    snapshot_.header.trace_function_count = {0, {}};
  }

  const Graph& graph_;
  Names names_;
  format::Snapshot snapshot_;
  std::uint64_t bytes_ = 0;
  std::uint64_t wide_sizes_ = 0;
};

Result<void> check_input(const GraphInput& input) {
  const auto refuse = [](std::string why) {
    return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
  };
  if (family_of(input.format) == Family::v8_heapsnapshot)
    return refuse("is a heap snapshot; `heapcheck convert --to heapsnapshot` writes it as V8 does");
  if (family_of(input.format) != Family::mvmheap)
    return refuse(fmt::format("found a {}, expected a MoarVM heap dump", title_of(input.format)));
  const std::uint64_t most_nodes = UINT32_MAX / node_fields.size();
  const std::uint64_t nodes = input.graph.node_count();
  if (nodes > most_nodes)
    return refuse(
        fmt::format("found {} nodes, expected at most {}, because DevTools refers to their rows with 32 bits",
                    nodes, most_nodes));
  // The array that DevTools uses to search from the root has one element for each node.
  const std::uint64_t root_edges = input.graph.first_edge[1];
  if (root_edges > nodes)
    return refuse(fmt::format(
        "the root has {} references, expected at most {}, one for each node, because DevTools fails "
        "with `BFS failed` otherwise",
        root_edges, nodes));
  return {};
}

}  // namespace

Result<Written> write_heapsnapshot(const GraphInput& input, core::ByteSink& sink) {
  if (auto checked = check_input(input); !checked) return std::unexpected(checked.error());
  SnapshotMaker maker(input.graph);
  const format::Snapshot snapshot = maker.make();
  if (auto done = format::write_snapshot(snapshot, sink); !done) return std::unexpected(done.error());
  return maker.describe();
}

}  // namespace heapcheck::exports::heapsnapshot
