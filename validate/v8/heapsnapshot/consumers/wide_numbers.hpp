// Numbers that a reader cannot hold: it keeps their lowest bits, or rounds them.
#pragma once

#include <span>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

struct NumberColumn {
  Section section;
  std::string_view field;
};

/// Reports the values above `largest` in the columns, but not names and what leads nowhere: the format has
/// rules for these.
void check_widths(const Snapshot& snapshot, std::span<const NumberColumn> columns, std::uint64_t largest,
                  const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
