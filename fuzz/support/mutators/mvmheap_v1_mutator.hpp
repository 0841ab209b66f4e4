// Changes the lines, items, numbers and names of a version 1 dump instead of its bytes. Parsing is lenient:
// an unknown line is one item.
#pragma once

#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v1 {

/// Makes one to three changes to a dump, with or without redistributing the references among the
/// collectables.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v1
