// The limits that the options of all commands that read dumps set.
#pragma once

#include "cli/values.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::cli {

/// The library's own limits, with what --max-memory and --max-expanded say.
inline Limits make_limits(const Values& values) {
  Limits limits;
  // 0 is what an overlong row of zeros becomes; it sets no limit.
  if (const auto size = values.get<std::uint64_t>("max-memory"); size != 0) limits.max_memory = size;
  if (const auto size = values.get<std::uint64_t>("max-expanded"); size != 0) limits.max_expanded = size;
  return limits;
}

}  // namespace heapcheck::cli
