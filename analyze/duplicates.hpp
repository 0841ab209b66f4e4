// Strings that occur several times in a heap.
#pragma once

#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Strings that have their contents and size in common with others, those that waste the most first. The
/// contents of long strings are cut in the file, so the sizes have to be equal, too.
[[nodiscard]] std::vector<DuplicateStrings> find_duplicates(const Graph& graph);

}  // namespace heapcheck::analyze
