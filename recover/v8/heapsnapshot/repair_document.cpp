#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "validate/v8/heapsnapshot/check.hpp"
#include "validate/v8/heapsnapshot/consistency/meta_order.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::Header;
using format::Table;

/// Whether a section has to be added. V8 writes all sections that `meta` names, but other programs may omit
/// the traces.
bool is_lacking(const Snapshot& snapshot, Section section) {
  if (snapshot.has(section)) return false;
  if (section == Section::strings) return true;
  const bool is_trace = section == Section::trace_function_infos || section == Section::trace_tree;
  return is_named(snapshot, section) && !(is_trace && snapshot.is_whole);
}

/// Splits a table into the columns that `meta` names. If `meta` does not name any, drops the table if it is
/// broken.
void repair_shape(Table& table, const std::optional<std::vector<std::string>>& fields) {
  if (fields) {
    if (table.columns.size() != fields->size()) table.reset(fields->size());
  } else if (!table.is_whole() || !table.wrong.empty()) {
    table = {};
  }
}

/// Renames columns that have the same name as an earlier column, because readers use the first column with
/// that name. Under their new names, their numbers must not be negative.
void repair_names_of_columns(std::vector<std::string>& fields, Table& table, Recovery& recovery) {
  std::unordered_set<std::string, core::KeyedHash> seen;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (seen.insert(fields[i]).second) continue;
    ++recovery.changed_values;
    do fields[i] += fmt::format(" ({})", i);
    while (!seen.insert(fields[i]).second);
    if (i < table.wrapped.size()) table.wrapped[i] = false;
  }
}

void repair_function_count(Header& header, std::uint64_t function_count, Recovery& recovery) {
  auto& said = header.trace_function_count;
  const std::uint64_t before = said ? said->value : 0;
  recovery.uncounted_functions = function_count - std::min(function_count, before);
  if (said || function_count != 0) said = format::HeaderNumber{function_count, {}};
}

}  // namespace

void repair_order(Snapshot& snapshot, Recovery& recovery) {
  namespace validation = heapcheck::validation::v8::heapsnapshot;
  if (!validation::consistency::find_other_order(snapshot.schema)) return;
  if (can_repair(snapshot) && !validation::contradicts_meta(snapshot)) return;
  format::Schema before = snapshot.schema;
  validation::consistency::restore_v8_order(snapshot.schema);
  if (can_repair(snapshot) && !validation::contradicts_meta(snapshot)) {
    ++recovery.changed_values;
  } else {
    snapshot.schema = std::move(before);
  }
}

bool can_repair(const Snapshot& snapshot) {
  const auto has = [&snapshot](Section section, std::initializer_list<std::string_view> fields) {
    const auto* const types = snapshot.schema.find_type_names(section, "type");
    return types != nullptr && !types->empty() && std::ranges::all_of(fields, [&](std::string_view field) {
             return snapshot.schema.find_field(section, field).has_value();
           });
  };
  return has(Section::nodes, {"name", "id", "self_size", "edge_count"}) &&
         has(Section::edges, {"name_or_index", "to_node"});
}

void repair_sections(Snapshot& snapshot, Recovery& recovery) {
  for (std::size_t i = 0; i < format::section_count; ++i) {
    const auto section = static_cast<Section>(i);
    if (snapshot.schema.fields[i])
      repair_names_of_columns(*snapshot.schema.fields[i], snapshot.tables[i], recovery);
    snapshot.schema.is_wrong_list[i] = false;
    if (is_flat(section)) repair_shape(snapshot.tables[i], snapshot.schema.fields[i]);
    if (!is_lacking(snapshot, section)) continue;
    snapshot.set_present(section);
    ++recovery.added_sections;
  }
}

void repair_header(Snapshot& snapshot, Recovery& recovery) {
  const Table& nodes = snapshot.table(Section::nodes);
  Header& header = snapshot.header;
  header.node_count = format::HeaderNumber{recovery.kept_nodes, {}};
  header.edge_count = format::HeaderNumber{recovery.kept_edges, {}};
  repair_function_count(header, snapshot.table(Section::trace_function_infos).row_count(), recovery);
  if (!header.root_index || nodes.begins_row(header.root_index->value)) return;
  header.root_index.reset();
  ++recovery.changed_values;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
