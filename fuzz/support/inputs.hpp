// Shared by the targets for formats: limits that keep each run short, and properties of every finding.
#pragma once

#include <cstdio>
#include <span>
#include <string>

#include "formats/core/checked.hpp"
#include "formats/core/finding_sink.hpp"
#include "fuzz/support/property.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::fuzz {

/// Returns limits that are so small that an input takes milliseconds and can reach them.
inline Limits make_limits() {
  Limits limits;
  limits.max_memory = std::uint64_t{32} << 20;
  limits.max_expanded = std::uint64_t{1} << 20;
  limits.max_all_expanded = std::uint64_t{16} << 20;
  limits.max_input = std::uint64_t{4} << 20;
  limits.max_blocks = 4000;
  limits.max_toc_entries = 20'000;
  limits.max_json_depth = 1000;
  return limits;
}

/// Inputs longer than this are read in fewer ways, so that an input of 1 MB takes at most a second. Shorter
/// inputs are enough to show differences between these ways.
inline constexpr std::size_t long_input = 300'000;

inline bool is_inside(Span span, std::uint64_t byte_count) {
  return core::is_inside(span.offset, span.length, byte_count);
}

/// Prints the findings and the error, if any, to standard error, because they show why a property is
/// violated.
inline void print_findings(const Report& report) {
  if (!report.error.empty()) std::fprintf(stderr, "%s\n", report.error.c_str());
  for (const Finding& finding : report.findings) {
    std::fprintf(stderr, "%s at %s: %s\n", std::string(finding.rule->id).c_str(),
                 finding.location.path.c_str(), finding.message.c_str());
  }
}

/// Requires every reported place to be inside an input of `byte_count` bytes, or at its end.
inline void require_places_inside(std::span<const Finding> findings, std::uint64_t byte_count) {
  for (const Finding& finding : findings) {
    require(is_inside(finding.location.file, byte_count), "a finding is inside the input");
    for (const Related& related : finding.related) {
      require(is_inside(related.location.file, byte_count), "a related place is inside the input");
    }
  }
}

}  // namespace heapcheck::fuzz
