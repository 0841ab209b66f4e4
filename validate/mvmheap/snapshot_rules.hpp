// All model rules over one snapshot, in the order in which they depend on each other: what
// stands on something broken is left out, so that one cause gives one finding.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Which shared tables could be read whole.
struct TablesKnown {
  bool strings = true;
  bool types = true;
  bool frames = true;
};

/// Checks one snapshot whose columns are all there and equally long. Says whether kinds, indices and
/// sizes hold, for rules of a version that stand on them.
bool check_snapshot(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
