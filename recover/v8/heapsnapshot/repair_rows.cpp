#include <algorithm>

#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using format::Table;

/// Removes the rows whose time or id is lower than that of an earlier row.
void drop_decreasing(const Snapshot& snapshot, RowSet& rows) {
  for (const std::string_view field : format::sample_fields) {
    const ChunkedColumn* const column = snapshot.find_column(Section::samples, field);
    std::uint64_t before = 0;
    for (std::size_t row = 0; column != nullptr && row < rows.size(); ++row) {
      if (!rows[row]) continue;
      rows[row] = (*column)[row] >= before;
      before = std::max(before, (*column)[row]);
    }
  }
}

/// Removes the rows that do not refer to a row in `known`.
void drop_dangling(const Snapshot& snapshot, const RowSet& known, Section section, std::string_view field,
                   RowSet& rows) {
  const ChunkedColumn* const places = snapshot.find_column(section, field);
  if (places == nullptr) return;
  const Table& nodes = snapshot.table(Section::nodes);
  for_each_value(*places, [&](std::uint64_t row, std::uint64_t place) {
    if (!nodes.begins_row(place) || !known[static_cast<std::size_t>(place / nodes.columns.size())])
      rows[static_cast<std::size_t>(row)] = false;
  });
}

/// Keeps the last location of each node, as readers do.
void drop_repeated(const Snapshot& snapshot, RowSet& rows) {
  const ChunkedColumn* const places = snapshot.find_column(Section::locations, "object_index");
  if (places == nullptr) return;
  const Table& nodes = snapshot.table(Section::nodes);
  RowSet seen(static_cast<std::size_t>(nodes.row_count()));
  for (std::size_t row = rows.size(); row-- > 0;) {
    if (!rows[row]) continue;
    const auto node = static_cast<std::size_t>((*places)[row] / nodes.columns.size());
    rows[row] = !seen[node];
    seen[node] = true;
  }
}

void repair_samples(Snapshot& snapshot, Recovery& recovery) {
  if (!is_named(snapshot, Section::samples)) return;
  Table& samples = snapshot.table(Section::samples);
  RowSet rows = find_whole_rows(samples);
  drop_decreasing(snapshot, rows);
  recovery.dropped_rows += keep_rows(samples, rows);
}

void repair_locations(Snapshot& snapshot, const RowSet& nodes, Recovery& recovery) {
  if (!is_named(snapshot, Section::locations)) return;
  Table& locations = snapshot.table(Section::locations);
  RowSet rows = find_whole_rows(locations);
  drop_dangling(snapshot, nodes, Section::locations, "object_index", rows);
  drop_dangling(snapshot, nodes, Section::locations, "script_object_index", rows);
  drop_repeated(snapshot, rows);
  recovery.dropped_rows += keep_rows(locations, rows);
}

/// Repairs the rows that scopes own. The `field` column contains the number of rows that each scope owns.
void repair_owned(Snapshot& snapshot, Section section, std::string_view field, const RowSet& scopes,
                  Recovery& recovery) {
  if (!is_named(snapshot, section)) return;
  Table& owned = snapshot.table(section);
  RowSet rows = find_whole_rows(owned);
  const auto column = snapshot.schema.find_field(Section::scopes, field);
  if (column && !owned.columns.empty() && is_named(snapshot, Section::scopes)) {
    const Table& owners = snapshot.table(Section::scopes);
    replace_column(snapshot, Section::scopes, field,
                   fit_counts(owners.columns[*column], scopes, count_known(owners, *column), rows));
  }
  recovery.dropped_rows += keep_rows(owned, rows);
}

void repair_scopes(Snapshot& snapshot, const RowSet& nodes, Recovery& recovery) {
  Table& scopes = snapshot.table(Section::scopes);
  RowSet rows = find_whole_rows(scopes);
  drop_dangling(snapshot, nodes, Section::scopes, "script_node_index", rows);
  repair_owned(snapshot, Section::scope_context_vars, "scope_context_vars_count", rows, recovery);
  repair_owned(snapshot, Section::scope_uses, "scope_uses_count", rows, recovery);
  if (is_named(snapshot, Section::scopes)) recovery.dropped_rows += keep_rows(scopes, rows);
}

}  // namespace

void repair_rows(Snapshot& snapshot, const RowSet& nodes, Recovery& recovery) {
  repair_samples(snapshot, recovery);
  repair_locations(snapshot, nodes, recovery);
  repair_scopes(snapshot, nodes, recovery);
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
