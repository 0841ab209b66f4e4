// Collapsed stacks: the text that flamegraph.pl, speedscope and inferno read. One line for each place with
// memory: the frames from the outermost on, separated by semicolons, a blank, and the bytes.
#pragma once

#include "export/exporter.hpp"

namespace heapcheck::exports::profiles {

/// Lines are in the order of places; a place without memory has none. In a name, semicolons become colons,
/// and line breaks and other control characters become blanks. Errors: unwritable; limit, if the
/// lines have more than 2^28 frames in total.
[[nodiscard]] Result<Written> write_collapsed(const StacksInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::profiles
