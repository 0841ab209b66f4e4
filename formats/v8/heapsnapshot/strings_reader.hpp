// Reads the section `strings`.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "formats/v8/heapsnapshot/reading.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the array that begins at the current token.
[[nodiscard]] Strings read_strings(Reading& reading);

}  // namespace heapcheck::v8::heapsnapshot
