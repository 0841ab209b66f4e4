// The versions and layouts of MoarVM dumps that can be written.
#pragma once

#include "convert/mvmheap/convert.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::conversion::mvmheap {

/// Returns the layout of a target: its writer and its capacity. The target must be a MoarVM dump.
const model::WrittenLayout& layout_of(Target target);

/// The target for a dump of `format` if none is given: the dump's own version, in the default layout or, if
/// tables grew, in a layout that records their growth.
Target usual_target(Format format, const Survey& survey);

}  // namespace heapcheck::conversion::mvmheap
