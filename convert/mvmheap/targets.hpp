// The versions and layouts of MoarVM dumps that can be written.
#pragma once

#include "convert/mvmheap/convert.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::conversion::mvmheap {

/// How a target is written and what it can hold. The target must be a MoarVM dump.
const model::WrittenLayout& layout_of(Target target);

/// The target for a dump of `format` if none is given: its own version, in the usual layout or, if tables
/// grew, in one that records that.
Target usual_target(Format format, const Survey& survey);

}  // namespace heapcheck::conversion::mvmheap
