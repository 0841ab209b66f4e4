// The checks of each format: a table with one row per format.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/model.hpp"
#include "heapcheck/format.hpp"
#include "validate/validate.hpp"

namespace heapcheck::validation {

/// Whether the table has a row for the format.
bool has_checks(Format format);

/// Reads what is in `window`, which is at the first byte of a file of that format, and reports violations of
/// its rules. Returns what was read.
formats::Model check_format(Format format, core::Window& window, const Options& options,
                            core::FindingSink& sink);

}  // namespace heapcheck::validation
