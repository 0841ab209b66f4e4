#include "formats/v8/heapsnapshot/quirks.hpp"

#include <algorithm>
#include <span>

namespace heapcheck::v8::heapsnapshot {
namespace {

constexpr std::size_t symbol_type = 12;
constexpr std::string_view symbol_name = node_types[symbol_type];

/// The first node whose type has no name.
std::optional<std::uint64_t> find_symbol(const ChunkedColumn& types) {
  for (std::uint64_t chunk = 0; chunk < types.chunk_count(); ++chunk) {
    if (types.largest(chunk) < symbol_type) continue;
    const std::uint64_t end = std::min(types.count(), (chunk + 1) * chunk_rows);
    for (std::uint64_t row = chunk * chunk_rows; row < end; ++row) {
      if (types[row] == symbol_type) return row;
    }
  }
  return std::nullopt;
}

/// Whether the string at that index is `symbol` or was not read.
bool may_be_symbol(const Strings& strings, std::uint64_t name) {
  return name < strings.table.count() ? strings.table[name] == symbol_name : !strings.is_whole();
}

constexpr ColumnName wrapped_columns[] = {
    {Section::edges, "name_or_index"},
    {Section::trace_function_infos, "line"},
    {Section::trace_function_infos, "column"},
    {Section::locations, "line"},
    {Section::locations, "column"},
};

}  // namespace

std::size_t find_line_of_document(core::ByteSpan first_bytes) {
  const std::string_view text = core::as_text(first_bytes);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] == '{') return 0;
  const std::size_t line = text.find("\n{");
  return line == std::string_view::npos ? 0 : line + 1;
}

bool has_v8_mark(const Snapshot& snapshot) {
  return snapshot.strings.table.count() != 0 && snapshot.strings.table[0] == first_string_of_v8;
}

bool has_zero_counts(const Snapshot& snapshot) {
  const auto is_zero = [](const std::optional<HeaderNumber>& count) { return count && count->value == 0; };
  return is_zero(snapshot.header.node_count) && is_zero(snapshot.header.edge_count) &&
         snapshot.table(Section::nodes).row_count() != 0 && snapshot.strings.is_sound() &&
         snapshot.strings.table.count() != 0 && !has_v8_mark(snapshot);
}

void correct_zero_counts(Snapshot& snapshot) {
  if (!has_zero_counts(snapshot)) return;
  snapshot.header.node_count->value = snapshot.table(Section::nodes).row_count();
  snapshot.header.edge_count->value = snapshot.table(Section::edges).row_count();
}

bool has_late_functions(const Snapshot& snapshot) {
  const TraceTree& tree = snapshot.trace_tree;
  const std::uint64_t written = snapshot.table(Section::trace_function_infos).row_count();
  const std::optional<HeaderNumber>& counted = snapshot.header.trace_function_count;
  const ChunkedColumn* const allocating = snapshot.find_column(Section::nodes, "trace_node_id");
  const bool is_undercount = counted && counted->value < written;
  if (!is_undercount || !tree.is_whole() || allocating == nullptr) return false;
  bool has_late = false;
  for (std::size_t row = 0; row < tree.id.size(); ++row) {
    const std::uint64_t function = tree.function_info_index[row];
    if (function < written) continue;
    // V8 records a call for each function that it adds.
    if (tree.id[row] <= allocating->largest() || function - written >= tree.id.size()) return false;
    has_late = true;
  }
  return has_late;
}

bool may_wrap(Section section, std::string_view field) {
  return std::ranges::any_of(wrapped_columns, [&](const ColumnName& column) {
    return column.section == section && column.field == field;
  });
}

bool may_wrap(Section section) {
  return std::ranges::find(wrapped_columns, section, &ColumnName::section) != std::end(wrapped_columns);
}

void add_symbol_type(Snapshot& snapshot) {
  const auto field = snapshot.schema.find_field(Section::nodes, "type");
  const auto* const known = snapshot.schema.find_type_names(Section::nodes, "type");
  const ChunkedColumn* const types = snapshot.find_column(Section::nodes, "type");
  const ChunkedColumn* const names = snapshot.find_column(Section::nodes, "name");
  if (known == nullptr || types == nullptr || names == nullptr) return;
  if (!std::ranges::equal(*known, std::span(node_types).first(symbol_type))) return;
  const auto symbol = find_symbol(*types);
  if (!symbol || !may_be_symbol(snapshot.strings, (*names)[*symbol])) return;
  (*snapshot.schema.node_types)[*field].names.emplace_back(symbol_name);
  snapshot.schema.omits_symbol = true;
}

}  // namespace heapcheck::v8::heapsnapshot
