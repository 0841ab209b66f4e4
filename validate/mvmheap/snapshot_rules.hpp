// All model rules for one snapshot, in order of their dependencies: rules whose preconditions are violated
// are skipped, so that one cause produces one finding.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// The shared tables that could be read completely.
struct TablesKnown {
  bool strings = true;
  bool types = true;
  bool frames = true;
};

/// Checks one snapshot. The columns of each table must be complete and have the same length. Returns whether
/// kinds, indices and sizes follow the rules, because some rules for a single version depend on that.
bool check_snapshot(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
