// Plans how to write one of V8's heap files as V8 itself would write it.
#pragma once

#include "convert/plan.hpp"

namespace heapcheck::conversion::v8 {

Result<Plan> make_heapsnapshot_plan(core::SeekableSource& source, formats::Content& content,
                                    const Request& request);
Result<Plan> make_heapprofile_plan(core::SeekableSource& source, formats::Content& content,
                                   const Request& request);

}  // namespace heapcheck::conversion::v8
