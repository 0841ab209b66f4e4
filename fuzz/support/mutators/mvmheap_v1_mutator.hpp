// Changes the lines, items, numbers and names of a version 1 dump instead of its bytes. Lenient: a line
// that is none of the format's is one item.
#pragma once

#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v1 {

/// One to three changes to a dump, with references shared out anew or as they were.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v1
