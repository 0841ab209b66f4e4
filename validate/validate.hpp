// Checks one input: recognises its format, reads it, applies the rules, and reports violations. Never prints
// anything, and never throws because of bad input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "formats/model.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/report.hpp"
#include "validate/readers.hpp"
#include "validate/selection.hpp"

namespace heapcheck::validation {

struct Options {
  Limits limits;
  std::uint64_t max_per_rule = 20;
  /// The reader whose additional requirements are checked.
  ReaderProfile reader = {};
  Selection selection = {};    ///< the rules that are reported, and their severities
  std::uint64_t max_kept = 0;  ///< the number of bytes of a MoarVM dump that may be kept for the next time it
                               ///< is read
};

/// Reads the file in `window`, which is at the first byte, and reports violations of the rules for that
/// format. Returns the content that was read. If `can_read_again` is true, may return nothing, which means
/// that the findings are incomplete, and that the file must be checked again with `can_read_again` false.
std::optional<formats::Model> check_format(Format format, core::Window& window, const Options& options,
                                           bool can_read_again, core::FindingSink& sink);

/// The report of a check, and the content that was read for it.
struct Checked {
  Report report;
  formats::Content content;
};

/// Checks the content of `raw`, which is decompressed if its first bytes are those of a compressed file.
Checked check(std::unique_ptr<core::ByteSource> raw, const Options& options);

/// Does the same for callers that need only the report.
Report check_source(std::unique_ptr<core::ByteSource> raw, const Options& options);

}  // namespace heapcheck::validation
