#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "formats/v8/heapsnapshot/string_table.hpp"
#include "fuzz/support/choices.hpp"
#include "fuzz/support/made_models.hpp"

namespace heapcheck::fuzz {
namespace {

namespace format = v8::heapsnapshot;
using format::FieldType;
using format::Section;
using format::Snapshot;
using Row = std::vector<std::uint64_t>;

format::Table make_table(const std::vector<Row>& rows, std::size_t width) {
  format::Table table;
  table.reset(width);
  table.extent = format::Extent::cut;
  Row values;
  for (const Row& row : rows) values.insert(values.end(), row.begin(), row.end());
  constexpr std::size_t chunk = format::chunk_rows;
  for (std::size_t row = 0; row < rows.size(); row += chunk) {
    table.append_chunk(std::span(values).subspan(row * width, std::min(chunk, rows.size() - row) * width));
  }
  table.value_count = values.size();
  return table;
}

class SnapshotMaker {
 public:
  explicit SnapshotMaker(Choices choices) : choices_(choices) {}

  Snapshot make() {
    const bool has_traces = choices_.take_bool();
    const std::uint8_t others = choices_.take_byte();
    node_count_ = 1 + choices_.below(300);
    edge_count_ = choices_.below(choices_.take_byte() == UINT8_MAX ? 10'000 : 300);
    make_strings();
    make_traces(has_traces);
    make_graph(has_traces);
    if (others % 2 != 0) make_samples();
    if (others / 2 % 2 != 0) make_locations();
    if (others / 4 % 2 != 0) make_scopes();
    finish(others / 8 % 2 != 0);
    return std::move(snapshot_);
  }

 private:
  static constexpr std::size_t most_rows = 300;
  /// The rows of a section, with their values in the order of `fields`.
  struct Rows {
    std::vector<std::string> fields;
    std::vector<Row> rows;
  };

  void make_strings() {
    std::set<std::string> seen;
    for (const std::string& text : {std::string("<dummy>"), std::string()}) add_string(text, seen);
    for (std::size_t count = choices_.below(most_rows); count != 0 && !choices_.rest.empty(); --count) {
      add_string(choices_.take_name(), seen);
    }
  }
  void add_string(std::string_view text, std::set<std::string>& seen) {
    std::string spelling;
    format::append_spelling(text, spelling);
    if (!seen.insert(spelling).second) return;
    snapshot_.strings.table.begin_string(0) += spelling;
    snapshot_.strings.table.end_string();
  }
  std::uint64_t take_string() {
    return choices_.below(static_cast<std::size_t>(snapshot_.strings.table.count()));
  }
  std::uint64_t take_place() { return choices_.below(node_count_) * node_width_; }

  /// Makes functions, and a tree of calls of these functions, in the order in which they are in the file.
  void make_traces(bool has_traces) {
    Rows functions{{"function_id", "name", "script_name", "script_id", "line", "column"}, {}};
    while (has_traces && (functions.rows.empty() || choices_.take_byte() % 4 != 0)) {
      functions.rows.push_back({choices_.take_amount(), take_string(), take_string(), choices_.take_amount(),
                                choices_.take_amount(), choices_.take_amount()});
    }
    snapshot_.header.trace_function_count = {functions.rows.size(), {}};
    auto& tree = snapshot_.trace_tree;
    Different ids{1, choices_.take_amount()};
    while (has_traces && (tree.id.empty() || (choices_.take_byte() % 8 != 0 && tree.id.size() < most_rows))) {
      tree.parent.push_back(take_caller());
      tree.id.push_back(ids.next());
      tree.function_info_index.push_back(choices_.below(functions.rows.size()));
      tree.count.push_back(choices_.take_amount());
      tree.size.push_back(choices_.take_amount());
    }
    fill(Section::trace_function_infos, functions);
    const auto& fields = format::tree_fields;
    snapshot_.schema.fields[index_of(Section::trace_tree)].emplace(fields.begin(), fields.end());
  }
  /// Returns the last call or one of its callers.
  std::uint32_t take_caller() {
    const auto& parents = snapshot_.trace_tree.parent;
    if (parents.empty()) return format::TraceTree::no_parent;
    auto caller = static_cast<std::uint32_t>(parents.size() - 1);
    for (std::uint8_t levels = choices_.take_byte() % 4; levels != 0 && caller != 0; --levels)
      caller = parents[caller];
    return caller;
  }

  void make_graph(bool has_traces) {
    const auto& fields = format::node_fields;
    Rows nodes{{fields.begin(), fields.begin() + format::common_node_fields}, {}};
    if (has_traces) nodes.fields.emplace_back("trace_node_id");
    const bool has_detachedness = choices_.take_bool();
    if (has_detachedness) nodes.fields.emplace_back("detachedness");
    if (choices_.take_bool()) nodes.fields.emplace_back("retained by \"us\"");
    node_width_ = nodes.fields.size();
    std::vector<std::string> types = take_names();
    types.emplace_back("synthetic");
    Different ids{1, choices_.take_amount()};
    for (std::size_t i = 0; i < node_count_; ++i) {
      Row row{choices_.below(types.size()), take_string(), ids.next(), choices_.take_amount(), 0};
      if (i == 0) row = {types.size() - 1, 1, 1, 0, 0};
      if (has_traces) row.push_back(take_call());
      if (has_detachedness) row.push_back(choices_.take_amount() % 4);
      while (row.size() < node_width_) row.push_back(choices_.take_amount());
      nodes.rows.push_back(std::move(row));
    }
    make_edges(nodes.rows);
    snapshot_.header.node_count = {nodes.rows.size(), {}};
    snapshot_.schema.node_types = fill(Section::nodes, nodes, types);
  }
  std::uint64_t take_call() {
    const auto& ids = snapshot_.trace_tree.id;
    return choices_.take_bool() ? 0 : ids[choices_.below(ids.size())];
  }
  std::vector<std::string> take_names() {
    std::vector<std::string> names;
    for (std::size_t count = choices_.take_byte() % 32; count != 0; --count)
      names.push_back(choices_.take_name());
    return names;
  }

  /// Makes an edge to each node from an earlier node, and some additional edges.
  void make_edges(std::vector<Row>& nodes) {
    std::vector<std::string> types = take_names();
    types.insert(types.end(), format::edge_types.begin(), format::edge_types.end());
    std::vector<std::vector<Row>> of_nodes(nodes.size());
    const auto add = [&](std::size_t from, std::size_t to) {
      const std::size_t type = choices_.below(types.size());
      const bool has_name = types[type] != "element" && types[type] != "hidden";
      const std::uint64_t name = has_name ? take_string() : choices_.take_amount();
      of_nodes[from].push_back({type, name, to * node_width_});
    };
    for (std::size_t to = 1; to < nodes.size(); ++to) add(choices_.below(to), to);
    for (std::size_t i = 0; i < edge_count_; ++i) {
      const std::size_t from = choices_.below(nodes.size());
      if (from == 0 && of_nodes[0].size() == nodes.size()) continue;  // more would violate a rule
      add(from, choices_.below(nodes.size()));
    }
    Rows edges{{format::edge_fields.begin(), format::edge_fields.end()}, {}};
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      nodes[node][4] = of_nodes[node].size();
      for (Row& edge : of_nodes[node]) edges.rows.push_back(std::move(edge));
    }
    snapshot_.header.edge_count = {edges.rows.size(), {}};
    snapshot_.schema.edge_types = fill(Section::edges, edges, types);
  }

  void make_samples() {
    Rows samples{{format::sample_fields.begin(), format::sample_fields.end()}, {{0, choices_.take_amount()}}};
    Shares times;
    Shares ids{UINT64_MAX - samples.rows[0][1]};
    while (choices_.take_byte() % 8 != 0) {
      const Row last = samples.rows.back();
      const std::uint64_t time = last[0] + times.take(choices_);
      samples.rows.push_back({time, last[1] + ids.take(choices_)});
    }
    fill(Section::samples, samples);
  }

  void make_locations() {
    Rows locations{{"object_index", "script_id", "script_object_index", "line", "column"}, {}};
    for (std::size_t node = choices_.take_byte(); node < node_count_; node += 1U + choices_.take_byte()) {
      locations.rows.push_back({node * node_width_, choices_.take_amount(), take_place(),
                                choices_.take_amount(), choices_.take_amount()});
    }
    fill(Section::locations, locations);
  }

  void make_scopes() {
    Rows scopes{{"script_node_index", "scope_id", "depth", "scope_context_vars_count", "scope_uses_count"},
                {}};
    Rows variables{{"name"}, {}};
    Rows uses{{"declaring_scope_id", "slot_index"}, {}};
    while (choices_.take_byte() % 8 != 0) {
      const Row counts{choices_.take_byte() % 4U, choices_.take_byte() % 4U};
      scopes.rows.push_back({take_place(), take_signed(), choices_.take_byte(), counts[0], counts[1]});
      for (std::uint64_t i = 0; i < counts[0]; ++i) variables.rows.push_back({take_string()});
      for (std::uint64_t i = 0; i < counts[1]; ++i) uses.rows.push_back({take_signed(), take_signed()});
    }
    fill(Section::scopes, scopes);
    fill(Section::scope_context_vars, variables);
    fill(Section::scope_uses, uses);
  }
  /// Returns a number below 2^63 or a number that represents a negative number.
  std::uint64_t take_signed() {
    return choices_.take_bool() ? choices_.take_amount() / 2 : ~(choices_.take_amount() / 2);
  }

  /// Makes a section with rotated columns, and its rows. Returns the types of the columns for `meta`. `types`
  /// contains the names for the `type` column.
  std::vector<FieldType> fill(Section section, Rows& content, const std::vector<std::string>& types = {}) {
    const std::size_t width = content.fields.size();
    const auto shift = static_cast<std::ptrdiff_t>(choices_.below(width));
    const auto turn = [shift](auto& row) { std::ranges::rotate(row, row.begin() + shift); };
    turn(content.fields);
    std::ranges::for_each(content.rows, turn);
    snapshot_.table(section) = make_table(content.rows, width);
    snapshot_.table(section).holds_negative = format::sections[index_of(section)].holds_negative;
    snapshot_.schema.fields[index_of(section)] = content.fields;
    std::vector<FieldType> field_types(width, {false, {"number"}});
    for (std::size_t i = 0; i < width; ++i) {
      if (content.fields[i] == "type") field_types[i] = {true, types};
    }
    return field_types;
  }

  void finish(bool has_extra_numbers) {
    if (has_extra_numbers) snapshot_.header.extra_native_bytes = {choices_.take_amount(), {}};
    if (has_extra_numbers) snapshot_.header.root_index = {0, {}};
    snapshot_.header.is_present = snapshot_.schema.is_present = true;
    snapshot_.trace_tree.extent = snapshot_.strings.extent = format::Extent::cut;
    snapshot_.has_record_lines = node_count_ > 1 && choices_.take_bool();
    for (std::size_t i = 0; i < format::section_count; ++i) {
      if (snapshot_.has(static_cast<Section>(i))) snapshot_.order.push_back(static_cast<Section>(i));
    }
  }

  Choices choices_;
  Snapshot snapshot_;
  std::size_t node_count_ = 0;
  std::size_t edge_count_ = 0;  ///< in addition to the edges that reach each node
  std::size_t node_width_ = 0;
};

}  // namespace

Snapshot make_heapsnapshot(core::ByteSpan bytes) { return SnapshotMaker(Choices(bytes)).make(); }

}  // namespace heapcheck::fuzz
