// Checks one input: tells its format, reads it, applies the rules, and says what was found. The
// library's main entry; never prints, never throws on bad input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/detect.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/report.hpp"
#include "validate/collector.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation {

struct Options {
  Limits limits;
  std::uint64_t max_per_rule = 20;
  v8::heapsnapshot::consumers::ConsumerProfile reader = {};  ///< for which more is checked than the format
};

/// Checks what `raw` holds, decompressing it if its first bytes say so.
Report check_source(std::unique_ptr<core::ByteSource> raw, const Options& options);

/// Checks the file at `path`; `-` is standard input.
Report check_file(const std::string& path, const Options& options);

}  // namespace heapcheck::validation
