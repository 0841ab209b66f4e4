// Checks bytes in memory against every rule, for targets that need a verdict.
#pragma once

#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

namespace heapcheck::fuzz {

inline Report check(core::ByteSpan bytes, const Limits& limits,
                    const validation::ReaderProfile& reader = {}) {
  return validation::check_source(std::make_unique<core::MemorySource>(bytes),
                                  {.limits = limits, .reader = reader});
}

inline bool is_valid(core::ByteSpan bytes, const Limits& limits) {
  return check(bytes, limits).verdict == Verdict::valid;
}

}  // namespace heapcheck::fuzz
