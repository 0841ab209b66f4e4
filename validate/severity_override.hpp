// A rule that is reported with a higher severity than its default.
#pragma once

#include "heapcheck/types/finding.hpp"

namespace heapcheck::validation {

/// Findings of `from` are reported as `to`, which is the same rule with a higher severity.
struct SeverityOverride {
  const Rule* from;
  const Rule* to;
};

}  // namespace heapcheck::validation
