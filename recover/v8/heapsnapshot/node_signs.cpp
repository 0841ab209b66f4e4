#include "recover/v8/heapsnapshot/node_signs.hpp"

#include <algorithm>
#include <string_view>

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using validation::v8::heapsnapshot::consistency::find_map_need;

constexpr auto unknown = static_cast<std::uint64_t>(-1);

/// The largest value of `detachedness` that readers understand.
constexpr std::uint64_t most_detached = 3;

/// The position of a name in a list of types, or `unknown`.
std::uint64_t find_type(const std::vector<std::string>& types, std::string_view name) {
  const auto at = std::ranges::find(types, name);
  return at == types.end() ? unknown : static_cast<std::uint64_t>(at - types.begin());
}

std::uint64_t find_string(const format::StringTable& strings, std::string_view text) {
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (strings[i] == text) return i;
  }
  return unknown;
}

/// The names that V8 gives to nodes that represent maps: `system / Map`, or a name such as `system / Map
/// (OneByteString)`.
RowSet find_map_names(const format::StringTable& strings) {
  RowSet names(static_cast<std::size_t>(strings.count()));
  for (std::uint64_t i = 0; i < strings.count(); ++i)
    names[static_cast<std::size_t>(i)] = strings[i].starts_with("system / Map");
  return names;
}

}  // namespace

GraphColumns::GraphColumns(const Snapshot& snapshot) {
  const auto find = [&snapshot](Section section, std::string_view field) {
    return snapshot.schema.find_field(section, field).value_or(0);
  };
  node_columns = snapshot.table(Section::nodes).columns.size();
  edge_types = snapshot.schema.find_type_names(Section::edges, "type")->size();
  node_type = find(Section::nodes, "type");
  node_name = find(Section::nodes, "name");
  node_id = find(Section::nodes, "id");
  edge_count = find(Section::nodes, "edge_count");
  detachedness = snapshot.schema.find_field(Section::nodes, "detachedness");
  edge_type = find(Section::edges, "type");
  edge_name = find(Section::edges, "name_or_index");
  to_node = find(Section::edges, "to_node");
}

SignFinder::SignFinder(const Snapshot& snapshot, const GraphColumns& columns)
    : columns_(&columns), edges_are_whole_(snapshot.table(Section::edges).is_whole()) {
  const auto& node_types = *snapshot.schema.find_type_names(Section::nodes, "type");
  const auto& edge_types = *snapshot.schema.find_type_names(Section::edges, "type");
  const format::StringTable& strings = snapshot.strings.table;
  node_types_ = node_types.size();
  string_count_ = snapshot.strings.is_whole() ? strings.count() : unknown;
  internal_ = find_type(edge_types, "internal");
  map_name_ = find_string(strings, "map");
  // If objects were weighed too, the split in a file that has lost edges of similar objects could be too
  // narrow.
  for (const std::string& type : node_types)
    needs_.push_back(type == "object" ? MapNeed::any : find_map_need(type));
  map_names_ = find_map_names(strings);
}

bool SignFinder::is_map_edge(const AlignedRows& edges, std::uint64_t edge) const {
  return map_name_ != unknown && edges.get(edge, columns_->edge_name) == map_name_ &&
         edges.get(edge, columns_->edge_type) == internal_;
}

bool SignFinder::leads_to_node(const GraphRows& rows, std::uint64_t edge) const {
  const std::uint64_t place = rows.edges.get(edge, columns_->to_node);
  return place % rows.nodes.column_count() == 0 && place / rows.nodes.column_count() < rows.nodes.count();
}

void SignFinder::add_maps(const GraphRows& rows) {
  maps_.resize(static_cast<std::size_t>(rows.nodes.count()));
  for (std::uint64_t edge = rows.edges.begin(); edge < rows.edges.end(); ++edge) {
    if (!is_map_edge(rows.edges, edge) || !leads_to_node(rows, edge)) continue;
    maps_[static_cast<std::size_t>(rows.edges.get(edge, columns_->to_node) / rows.nodes.column_count())] =
        true;
  }
}

std::uint8_t SignFinder::look_at_node(const GraphRows& rows, std::uint64_t node) const {
  const std::uint64_t name = rows.nodes.get(node, columns_->node_name);
  // V8 5.1 to 6.2 use one more type than `meta` names.
  const bool is_impossible =
      rows.nodes.get(node, columns_->node_type) > node_types_ || name >= string_count_ ||
      (columns_->detachedness && rows.nodes.get(node, *columns_->detachedness) > most_detached);
  const bool is_map = name < map_names_.size() && map_names_[static_cast<std::size_t>(name)];
  const bool is_wrong_target = maps_[static_cast<std::size_t>(node)] && !is_map;
  return static_cast<std::uint8_t>((is_impossible ? wrong_node : 0) | (is_wrong_target ? wrong_target : 0) |
                                   (follows_previous(rows, node) ? 0 : wrong_step));
}

bool SignFinder::follows_previous(const GraphRows& rows, std::uint64_t node) const {
  if (node == 0 || !rows.nodes.has(node - 1)) return true;
  return rows.nodes.get(node, columns_->node_id) == rows.nodes.get(node - 1, columns_->node_id) + 2;
}

std::uint8_t SignFinder::look_at_edges(const GraphRows& rows, std::uint64_t node, std::uint64_t first,
                                       std::uint64_t count) const {
  const std::uint64_t type = rows.nodes.get(node, columns_->node_type);
  std::uint64_t maps = 0;
  unsigned signs = 0;
  for (std::uint64_t edge = first; edge < first + count; ++edge) {
    if (!rows.edges.has(edge)) return edges_are_whole_ ? wrong_edge : 0;
    if (rows.edges.get(edge, columns_->edge_type) >= columns_->edge_types || !leads_to_node(rows, edge))
      signs = wrong_edge;
    maps += is_map_edge(rows.edges, edge) ? 1U : 0U;
  }
  const MapNeed need = type < needs_.size() ? needs_[static_cast<std::size_t>(type)] : MapNeed::any;
  const bool needs_map = need == MapNeed::one || (need == MapNeed::one_if_any_edge && count != 0);
  if (maps > 1 || (maps == 0 && needs_map)) signs |= wrong_map;
  if (maps > 1) signs |= two_maps;
  if (maps == 1 && needs_map) signs |= has_map;
  return static_cast<std::uint8_t>(signs);
}

NodeSigns SignFinder::find(const GraphRows& rows, End end) const {
  const std::uint64_t count = rows.nodes.count();
  NodeSigns found{std::vector<std::uint8_t>(static_cast<std::size_t>(count), wrong_node), 0, count, 0};
  std::uint64_t edges = rows.edges.count();  // the number of edges that have not been counted yet
  std::uint64_t done = 0;
  for (; done < count; ++done) {
    const std::uint64_t node = end == End::front ? done : count - 1 - done;
    if (!rows.nodes.has(node) || !rows.nodes.is_integer(node, columns_->edge_count)) break;
    const std::uint64_t own = rows.nodes.get(node, columns_->edge_count);
    if (own > edges) break;
    const std::uint64_t first = end == End::front ? rows.edges.count() - edges : edges - own;
    found.signs[static_cast<std::size_t>(node)] =
        static_cast<std::uint8_t>(look_at_node(rows, node) | look_at_edges(rows, node, first, own));
    edges -= own;
  }
  if (end == End::front) {
    found.end = done;
  } else {
    found.begin = count - done;
    found.begin_edge = edges;
  }
  return found;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
