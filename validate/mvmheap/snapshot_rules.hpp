// All model rules for one snapshot, in order of their dependencies: rules that depend on something
// broken are skipped, so that one cause leads to one finding.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Which shared tables could be read completely.
struct TablesKnown {
  bool strings = true;
  bool types = true;
  bool frames = true;
};

/// Checks one snapshot. All its columns must be present and have equal lengths. Returns whether kinds,
/// indices and sizes follow the rules, because some rules of a version depend on them.
bool check_snapshot(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
