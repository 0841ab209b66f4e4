// Checks a V8 sampling heap profile: reads it and applies every rule. Takes memory for the columns of the
// whole profile, about 60 bytes per node.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "heapcheck/types/limits.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::v8::heapprofile {

/// `window` is at the file's first byte. Returns as much of the profile as was read. Also checks the
/// requirements of `reader`.
heapcheck::v8::heapprofile::Reading check(core::Window& window, const Limits& limits, core::FindingSink& sink,
                                          const ReaderProfile& reader = {});

}  // namespace heapcheck::validation::v8::heapprofile
