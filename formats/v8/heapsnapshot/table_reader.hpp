// Reads a section that is a flat array of integers.
#pragma once

#include <string>
#include <vector>

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"
#include "formats/v8/heapsnapshot/table.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the array that begins at the current token into columns with these names, or into one column if
/// `names` is null.
[[nodiscard]] Table read_table(Context& context, Section section, const std::vector<std::string>* names);

}  // namespace heapcheck::v8::heapsnapshot
