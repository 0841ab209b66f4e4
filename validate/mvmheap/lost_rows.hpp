// Distinguishes a table that has lost rows from a single wrong index. Several indices past the end of a table
// produce one finding, and the table is no longer used. Applies to all versions of MoarVM dumps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "formats/core/finding_sink.hpp"
#include "formats/core/text/counted.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Counts the indices that are outside a table.
struct Outside {
  std::uint64_t rows = 0;  ///< the number of rows in the table, or UINT64_MAX if that is unknown
  std::uint64_t count = 0;
  std::uint64_t largest = 0;
  std::uint64_t first = 0;  ///< the position of the first such index in its column

  void look_at(std::uint64_t index, std::uint64_t position) {
    if (index < rows) return;
    if (count++ == 0) first = position;
    largest = std::max(largest, index);
  }
  /// False if only one index is outside, because that index itself may be wrong.
  [[nodiscard]] bool has_lost_rows() const { return count > 1 || (rows == 0 && count != 0); }
};

/// The indices of a snapshot that are outside the tables.
struct OutsideTables {
  Outside strings;
  Outside types;
  Outside frames;
};
OutsideTables count_outside_tables(const model::Snapshot& snapshot, const model::TableCounts& known);

/// Whether any index in a snapshot may be outside the tables. This check is fast.
bool may_be_outside(const SnapshotView& view);

/// Makes the finding for `outside`, whose first index is at `place`. `indices` is the noun for the indices,
/// such as "string index".
[[nodiscard]] Finding make_lost_rows(const Outside& outside, Location place, core::Noun indices);

class LostRows {
 public:
  /// mvm.tables.lost-rows for the tables in `known`, reported once for each table of a file.
  void check(const SnapshotView& view, const TablesKnown& known, core::FindingSink& sink);

  /// The tables in `known` that have not lost rows.
  [[nodiscard]] TablesKnown keep(const TablesKnown& known) const {
    return {known.strings && hold_.strings, known.types && hold_.types, known.frames && hold_.frames};
  }

 private:
  TablesKnown hold_;
};

}  // namespace heapcheck::validation::mvmheap
