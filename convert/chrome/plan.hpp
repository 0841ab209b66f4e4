// Plans how to write the heap dumps of a trace in the other format, or in the canonical form of their own
// format.
#pragma once

#include "convert/plan.hpp"

namespace heapcheck::conversion::chrome {

/// Errors: unsupported, if the trace holds no heap dumps, or dumps of both formats.
Result<Plan> make_plan(core::SeekableSource& source, formats::Content& content, const Request& request);

}  // namespace heapcheck::conversion::chrome
