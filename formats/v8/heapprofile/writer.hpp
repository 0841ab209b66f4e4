// Writes a V8 sampling heap profile as V8's inspector and JSON.stringify do: one line, members in their
// order, only what is not ASCII as UTF-8. The same model gives the same bytes, and what DevTools or
// Node.js wrote is written back byte for byte. Without recursion.
#pragma once

#include "formats/core/output_file.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

/// Errors: unwritable, from the sink.
Result<void> write_profile(const Profile& profile, core::ByteSink& out);

}  // namespace heapcheck::v8::heapprofile
