// Plans the conversion of a MoarVM dump to another version.
#pragma once

#include "convert/plan.hpp"

namespace heapcheck::conversion::mvmheap {

Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request);

}  // namespace heapcheck::conversion::mvmheap
