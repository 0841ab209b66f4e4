// Reads the values of the metadata events `stackFrames` and `typeNames`: names by id. In: a JsonReader before
// the value. Out: columns, and findings about what in them cannot be read.
// spec: chrome/legacy.md#frames, #types
#pragma once

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

/// Reads the value that comes next. What was read before an error of the JSON may be incomplete.
Frames read_frames(const Context& context);
Types read_types(const Context& context);

/// Bytes that the columns take up.
std::uint64_t memory(const Frames& frames);
std::uint64_t memory(const Types& types);

}  // namespace heapcheck::chrome::legacy
