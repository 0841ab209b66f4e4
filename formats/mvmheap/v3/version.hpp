// The record of version 3 in the table of formats.
#pragma once

#include "formats/mvmheap/version.hpp"

namespace heapcheck::mvmheap::v3 {

extern const Version version;

}  // namespace heapcheck::mvmheap::v3
