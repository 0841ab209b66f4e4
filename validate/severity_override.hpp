// A rule that is taken more seriously than by default.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::validation {

/// Findings of `from` are of `to` instead, which is the same rule, raised.
struct SeverityOverride {
  const Rule* from;
  const Rule* to;
};

}  // namespace heapcheck::validation
