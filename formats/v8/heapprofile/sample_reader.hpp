// Reads the array of samples of a profile into its columns. A sample that lacks a member is reported
// and left out; one that the input ends in is left out.
#pragma once

#include "formats/v8/heapprofile/context.hpp"

namespace heapcheck::v8::heapprofile {

/// Reads the value behind the key `samples`, which is the current token. Stops at an error of the
/// grammar or a limit.
void read_samples(Context& context);

}  // namespace heapcheck::v8::heapprofile
