// Checks one input: tells its format, reads it, applies the rules, and says what was found. Never prints,
// never throws on bad input.
#pragma once

#include <cstdint>
#include <memory>

#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/report.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation {

struct Options {
  Limits limits;
  std::uint64_t max_per_rule = 20;
  v8::heapsnapshot::consumers::ConsumerProfile reader = {};  ///< for which more is checked than the format
  std::uint64_t max_kept = 0;  ///< bytes of a MoarVM dump that may be kept for who comes next
};

/// What a check found, and what it read on the way.
struct Checked {
  Report report;
  formats::Content content;
};

/// Checks what `raw` holds, decompressing it if its first bytes say so.
Checked check(std::unique_ptr<core::ByteSource> raw, const Options& options);

/// The same, where only what was found is wanted.
Report check_source(std::unique_ptr<core::ByteSource> raw, const Options& options);

}  // namespace heapcheck::validation
