// Reads the values of the metadata events `stackFrames` and `typeNames`: the names of frames and types, by
// id. In: a JsonReader before the value. Out: columns, and findings about anything in them that cannot be
// read. spec: chrome/legacy.md#frames, #types
#pragma once

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

/// Reads the next value. If the JSON is broken, the result may be incomplete.
Frames read_frames(const Context& context);
Types read_types(const Context& context);

/// Memory of the columns in bytes.
std::uint64_t memory(const Frames& frames);
std::uint64_t memory(const Types& types);

}  // namespace heapcheck::chrome::legacy
