// Reads the array of samples of a profile into columns. A sample that lacks a member is reported and left
// out; a sample that is cut off by the end of the input is left out without a report.
#pragma once

#include "formats/v8/heapprofile/context.hpp"

namespace heapcheck::v8::heapprofile {

/// Reads the value of the key `samples`, which is the current token. Stops at a syntax error or a limit.
void read_samples(Context& context);

}  // namespace heapcheck::v8::heapprofile
