// Writes the `heaps_v2` objects of a model, and the dump events around them, in the same way as Chrome 120:
// with members sorted by name, without white space, and without empty maps. The same model always produces
// the same bytes.
#pragma once

#include <string>

#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Appends the value of `args.dumps.heaps_v2`, which is the unchanged dump with the usual member names.
void append_heaps_v2(const Model& model, const Dump& dump, std::string& out);

/// Appends a dump event with its head, this value, and the sizes of its allocators, which Catapult needs to
/// show their heaps.
void append_event(const Model& model, const Dump& dump, std::string& out);

}  // namespace heapcheck::chrome::heaps_v2
