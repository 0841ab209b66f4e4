// The limits set by --max-memory and --max-expanded, which every command that reads dumps has.
#pragma once

#include "cli/values.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::cli {

/// The limits in `values`; for options that are not given, the library's defaults.
inline Limits make_limits(const Values& values) {
  Limits limits;
  // A long run of zeros is read as 0, which sets no limit.
  if (const auto size = values.get<std::uint64_t>("max-memory"); size != 0) limits.max_memory = size;
  if (const auto size = values.get<std::uint64_t>("max-expanded"); size != 0) limits.max_expanded = size;
  return limits;
}

}  // namespace heapcheck::cli
