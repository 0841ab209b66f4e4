// Indices of snapshots whose tables stand behind them, as in layout B, or in layout A where rows are damaged:
// the largest of each snapshot and table
// is remembered and judged when the tables are known. Owns the places.
#pragma once

#include <vector>

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/snapshot_rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v2 {

class LateRanges {
 public:
  /// Remembers the largest index into each table that is not known yet.
  void add(const SnapshotView& view, const TablesKnown& known);
  /// mvm.collectable.type-range, mvm.collectable.frame-range and mvm.refs.string-range, one finding a
  /// snapshot and table, for the tables that are known.
  void check(const model::TableCounts& counts, const TablesKnown& known, core::FindingSink& sink) const;

 private:
  struct Use {
    std::uint64_t index = 0;
    Location location;
  };
  void add_strings(const SnapshotView& view);

  std::vector<Use> strings_;
  std::vector<Use> types_;
  std::vector<Use> frames_;
};

}  // namespace heapcheck::validation::mvmheap::v2
