#include "recover/v8/heapsnapshot/graph_rows.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

/// Fewer rows may look like edges by chance.
constexpr std::uint64_t fewest_edges = 64;

/// Whether all values of a row are such that it may be an edge.
class EdgeTest {
 public:
  EdgeTest(const Snapshot& snapshot, const GraphColumns& columns, std::uint64_t node_count)
      : columns_(&columns),
        types_(snapshot.schema.find_type_names(Section::edges, "type")->size()),
        fields_(snapshot.table(Section::nodes).columns.size()),
        nodes_(node_count) {}

  [[nodiscard]] bool passes(const AlignedRows& edges, std::uint64_t edge) const {
    const std::uint64_t place = edges.get(edge, columns_->to_node);
    return edges.get(edge, columns_->edge_type) < types_ && place % fields_ == 0 &&
           place / fields_ < nodes_ && edges.is_integer_row(edge);
  }

 private:
  const GraphColumns* columns_;
  std::uint64_t types_;
  std::uint64_t fields_;
  std::uint64_t nodes_;
};

/// The first of the last rows that were read that may all be edges.
std::uint64_t find_first_edge(const AlignedRows& edges, const EdgeTest& test) {
  std::uint64_t first = edges.end();
  while (first > edges.begin() && test.passes(edges, first - 1)) --first;
  return first;
}

bool may_be_joined(const Snapshot& snapshot) {
  const format::Table& edges = snapshot.table(Section::edges);
  return snapshot.table(Section::nodes).is_whole() && !edges.is_whole() && edges.value_count == 0 &&
         snapshot.header.edge_count;
}

}  // namespace

std::optional<GraphRows> find_joined_rows(const Snapshot& snapshot, const GraphColumns& columns,
                                          std::uint64_t node_count) {
  if (!may_be_joined(snapshot)) return std::nullopt;
  const format::Table& table = snapshot.table(Section::nodes);
  const std::uint64_t fields = snapshot.table(Section::edges).columns.size();
  const std::uint64_t count = snapshot.header.edge_count->value;
  const AlignedRows edges = AlignedRows::from_back(table, fields, count);
  const std::uint64_t first = find_first_edge(edges, EdgeTest(snapshot, columns, node_count));
  if (edges.end() - first < fewest_edges) return std::nullopt;
  const std::uint64_t nodes = (table.value_count - (count - first) * fields) / table.columns.size();
  return GraphRows{
      AlignedRows::from_front(table, node_count).make_part(0, nodes - std::min(nodes, damage_margin)),
      edges.make_part(first + damage_margin, count)};
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
