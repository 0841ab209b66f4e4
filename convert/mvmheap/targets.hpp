// The versions and layouts of MoarVM dumps that can be written.
#pragma once

#include "convert/mvmheap/convert.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::conversion::mvmheap {

/// How a target, which must be a MoarVM dump, is written and what it can hold.
const model::WrittenLayout& layout_of(Target target);

/// What a dump of `format` is written as when nothing else is asked for: its own version, in the usual layout
/// or, where tables grew, one that can tell of it.
Target usual_target(Format format, const Survey& survey);

}  // namespace heapcheck::conversion::mvmheap
