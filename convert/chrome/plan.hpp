// Planning to write the heap dumps of a trace in the other format, or in a plain form of their own.
#pragma once

#include "convert/plan.hpp"

namespace heapcheck::conversion::chrome {

/// Errors: unsupported, where the trace holds no heap dump or dumps of both formats.
Result<Plan> make_plan(core::SeekableSource& source, formats::Content& content, const Request& request);

}  // namespace heapcheck::conversion::chrome
