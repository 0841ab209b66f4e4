// The record of version 2 in the table of formats.
#pragma once

#include "formats/mvmheap/version.hpp"

namespace heapcheck::mvmheap::v2 {

extern const Version version;

}  // namespace heapcheck::mvmheap::v2
