// Sound models generated from any bytes: the files written from them have no findings. They contain elements
// that do not occur in real files, such as additional columns and types, odd names and huge numbers.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/core/bytes.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::fuzz {

/// A trace with the dumps of several processes.
conversion::chrome::Profile make_trace_profile(core::ByteSpan bytes);
v8::heapprofile::Profile make_heapprofile(core::ByteSpan bytes);
v8::heapsnapshot::Snapshot make_heapsnapshot(core::ByteSpan bytes);

}  // namespace heapcheck::fuzz
