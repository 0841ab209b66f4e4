// The record of version 1 in the table of formats.
#pragma once

#include "formats/mvmheap/version.hpp"

namespace heapcheck::mvmheap::v1 {

extern const Version version;

}  // namespace heapcheck::mvmheap::v1
