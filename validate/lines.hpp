// Finds the line numbers of findings in text files, for tools that show locations as lines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "formats/core/source.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// The line number of each finding, counted from 1. Reads `raw`, the input of the report, a second time, up
/// to the last finding. Empty if the format is binary or the input cannot be read.
std::vector<std::uint64_t> find_lines(std::unique_ptr<core::ByteSource> raw, const Report& report,
                                      const Limits& limits);

}  // namespace heapcheck::validation
