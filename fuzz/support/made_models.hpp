// Sound models made up from the bytes of an input, whatever they are: nothing is to be found in what is
// written of them. They have what real files lack: other columns and types, odd names, huge numbers.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/core/bytes.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::fuzz {

/// Dumps of several processes.
conversion::chrome::Profile make_trace_profile(core::ByteSpan bytes);
v8::heapprofile::Profile make_heapprofile(core::ByteSpan bytes);
v8::heapsnapshot::Snapshot make_heapsnapshot(core::ByteSpan bytes);

}  // namespace heapcheck::fuzz
