// Reads the section `strings`.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the array that begins at the current token.
[[nodiscard]] Strings read_strings(Context& context);

}  // namespace heapcheck::v8::heapsnapshot
