// Writes a V8 sampling heap profile in the same way as V8's inspector and JSON.stringify: on one line, with
// the members in the same order, and with non-ASCII characters in UTF-8. Equal models are written as
// identical bytes, and files from DevTools or Node.js are reproduced byte for byte. Does not use recursion.
#pragma once

#include "formats/core/output/output_file.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

/// Writes the profile to `out`. Errors: unwritable if the sink fails.
Result<void> write_profile(const Profile& profile, core::ByteSink& out);

}  // namespace heapcheck::v8::heapprofile
