// Checks, after a whole snapshot was read, that it has everything that readers need.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Whether a file needs that section: readers search for it. DevTools uses the same conditions.
[[nodiscard]] bool is_announced(Section section, const Snapshot& snapshot);

/// Reports missing counts, columns and sections.
void check_requirements(Context& context, Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
