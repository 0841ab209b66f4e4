// The checks of each format: a table with one row per format.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/model.hpp"
#include "heapcheck/types/format.hpp"
#include "validate/validate.hpp"

namespace heapcheck::validation {

/// Returns whether the table has a row for the format.
bool has_checks(Format format);

/// Reads the file in `window`, which is at its first byte, and reports violations of the rules of that
/// format. Returns the content that was read.
formats::Model check_format(Format format, core::Window& window, const Options& options,
                            core::FindingSink& sink);

}  // namespace heapcheck::validation
