// The JSON that speedscope reads: a sampled profile whose weights are bytes.
// Source: https://www.speedscope.app/file-format-schema.json
#pragma once

#include "export/exporter.hpp"

namespace heapcheck::exports::profiles {

/// One sample for each place with memory, in the order of places; a frame for each function. Errors:
/// unwritable; limit, if the samples have more than 2^28 frames in total.
[[nodiscard]] Result<Written> write_speedscope(const StacksInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::profiles
