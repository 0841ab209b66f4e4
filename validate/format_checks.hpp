// The checks by format: a table, one row a format.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/model.hpp"
#include "heapcheck/format.hpp"
#include "validate/validate.hpp"

namespace heapcheck::validation {

/// Whether the table has a row for it.
bool has_checks(Format format);

/// Reads what is in `window`, which is at the first byte of a file of that format, and reports what does not
/// hold. Returns what was read.
formats::Model check_format(Format format, core::Window& window, const Options& options,
                            core::FindingSink& sink);

}  // namespace heapcheck::validation
