#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;

/// Whether nodes were written twice. If so, the wrong count is reported instead of their ids.
bool has_too_many_nodes(const Snapshot& snapshot) {
  const auto& said = snapshot.header.node_count;
  return snapshot.is_whole && said && said->value < snapshot.table(Section::nodes).row_count() &&
         has_other_nodes(snapshot);
}

/// Reports a note that the symbol type has no name, and reports any nodes of that type that are not symbols.
void check_unnamed_symbols(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field types(snapshot, Section::nodes, "type");
  const ChunkedColumn* const names = snapshot.find_column(Section::nodes, "name");
  if (!snapshot.schema.omits_symbol || !types || names == nullptr) return;
  const std::uint64_t symbol = snapshot.schema.find_type_names(Section::nodes, "type")->size() - 1;
  Cases notes(rules::nodes_unnamed_symbol, sink);
  Cases errors(rules::nodes_type, sink);
  std::optional<std::uint64_t> name;
  for_each_above(*types.column, symbol - 1, [&](std::uint64_t row, std::uint64_t type) {
    if (type != symbol) return;
    if (!name)
      notes.add(types, row, [&] { return fmt::format("type is {}, and `meta` does not name it", type); });
    if (!name) name = (*names)[row];
    if ((*names)[row] == *name) return;
    errors.add(types, row, [&] { return fmt::format("type is {}, expected at most {}", type, symbol - 1); });
  });
  errors.report();
  notes.report();
}

/// Whether the ids look like those of Bun 1.2.23 and 1.3.0: random 24-bit numbers, except for the root's id,
/// which is 0.
bool has_short_ids(const Snapshot& snapshot, const ChunkedColumn& ids) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 24;
  const ChunkedColumn* const names = snapshot.find_column(Section::nodes, "name");
  const format::StringTable& strings = snapshot.strings.table;
  if (names == nullptr || names->count() == 0 || (*names)[0] >= strings.count()) return false;
  return ids[0] == 0 && strings[(*names)[0]] == "(root)" && ids.largest() < limit &&
         ids.largest() >= limit / 2;
}

void check_ids(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field ids(snapshot, Section::nodes, "id");
  if (!ids || has_too_many_nodes(snapshot)) return;
  const std::vector<Repeated> repeated = find_repeated(*ids.column);
  if (repeated.empty()) return;
  // Among many random numbers, some are equal by chance. This is not damage.
  if (has_short_ids(snapshot, *ids.column)) {
    Cases notes(rules::nodes_short_id, sink);
    notes.add(ids, repeated[0].row, [&] {
      return repeated.size() == 1
                 ? std::string("1 node has the id of an earlier node")
                 : fmt::format("{} nodes have ids of earlier nodes; this is the first", repeated.size());
    });
    return notes.report();
  }
  Cases cases(rules::nodes_id, sink);
  for (const Repeated& id : repeated) {
    cases.add(ids, id.row,
              [&] { return fmt::format("id is {}, the same as that of an earlier node", id.value); });
  }
  cases.report();
}

std::uint64_t first_of(const Snapshot& snapshot, std::string_view field) {
  const ChunkedColumn* const column = snapshot.find_column(Section::nodes, field);
  return column == nullptr || column->count() == 0 ? 0 : (*column)[0];
}

/// The name of the first node's type.
std::string type_of_root(const Snapshot& snapshot) {
  const auto* names = snapshot.schema.find_type_names(Section::nodes, "type");
  const std::uint64_t type = first_of(snapshot, "type");
  return names != nullptr && type < names->size() ? (*names)[static_cast<std::size_t>(type)] : "";
}

void check_root(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::Table& nodes = snapshot.table(Section::nodes);
  const bool has_types = snapshot.schema.find_type_names(Section::nodes, "type") != nullptr;
  if (!snapshot.is_sound(Section::nodes) || nodes.row_count() == 0 || !snapshot.strings.is_sound() ||
      !has_types)
    return;
  const std::uint64_t name = first_of(snapshot, "name");
  if (name >= snapshot.strings.table.count()) return;
  const std::string type = type_of_root(snapshot);
  const std::uint64_t id = first_of(snapshot, "id");
  const std::uint64_t size = first_of(snapshot, "self_size");
  if (type == "synthetic" && snapshot.strings.table[name].empty() && id == 1 && size == 0) return;
  sink.report(
      {&rules::nodes_root,
       {format::find_row(nodes, 0), std::nullopt, "/nodes/0"},
       fmt::format(
           "the first node has name \"{}\", type {}, id {} and size {}, expected \"\", synthetic, 1 and 0",
           core::make_excerpt(snapshot.strings.table[name]), core::make_excerpt(type), id, size)});
}

/// Reports a root that has more edges than there are nodes, so that several of them lead to the same node.
void check_root_edges(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field counts(snapshot, Section::nodes, "edge_count");
  if (!counts || counts.column->count() == 0) return;
  const std::uint64_t edges = (*counts.column)[0];
  const std::uint64_t nodes = counts.column->count();
  if (edges <= nodes || edges > snapshot.table(Section::edges).row_count()) return;
  Cases cases(rules::nodes_root_edges, sink);
  cases.add(counts, 0, [&] {
    return fmt::format("the root has {}, expected at most one for each of {}", core::counted(edges, "edge"),
                       core::counted(nodes, "node"));
  });
  cases.report();
}

void check_trace_nodes(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field nodes(snapshot, Section::nodes, "trace_node_id");
  if (!nodes || !snapshot.trace_tree.is_whole()) return;
  const TreeIds ids(snapshot.trace_tree);
  Cases cases(rules::nodes_trace_node, sink);
  for_each_above(*nodes.column, 0, [&](std::uint64_t row, std::uint64_t id) {
    if (ids.has(id)) return;
    cases.add(nodes, row,
              [&] { return fmt::format("trace_node_id is {}, expected 0 or an id of the trace tree", id); });
  });
  cases.report();
}

}  // namespace

void check_nodes(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!check_types(snapshot, Section::nodes, rules::nodes_type, sink)) return;
  check_unnamed_symbols(snapshot, sink);
  check_ids(snapshot, sink);
  check_root(snapshot, sink);
  check_root_edges(snapshot, sink);
  check_trace_nodes(snapshot, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
