// Writes a V8 sampling heap profile as V8's inspector and JSON.stringify do: on one line, with the members in
// the same order, and with characters outside ASCII as UTF-8. Equal models are written as identical bytes,
// and files written by DevTools or Node.js are written back byte for byte. Uses no recursion.
#pragma once

#include "formats/core/output/output_file.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

/// Errors: unwritable, if the sink fails.
Result<void> write_profile(const Profile& profile, core::ByteSink& out);

}  // namespace heapcheck::v8::heapprofile
