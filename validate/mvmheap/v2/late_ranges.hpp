// Checks the indices in snapshots whose tables come later, as in layout B, or in layout A if rows are
// damaged: remembers the largest index into each table for each snapshot, and checks it when the table is
// known. Owns the locations.
#pragma once

#include <vector>

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/snapshot_rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v2 {

class LateRanges {
 public:
  /// For each table that is not known yet, remembers the largest index into it.
  void add(const SnapshotView& view, const TablesKnown& known);
  /// mvm.collectable.type-range, mvm.collectable.frame-range and mvm.refs.string-range for the tables that
  /// are known, with at most one finding per snapshot and table.
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
