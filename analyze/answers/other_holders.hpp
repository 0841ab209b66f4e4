// What else holds a suspect: freeing only what its path shows would not free it.
#pragma once

#include <string>
#include <vector>

#include "analyze/heap.hpp"
#include "heapcheck/types/answers.hpp"

namespace heapcheck::analyze::answers {

/// A line about the last node on the path that something else than the node before it also holds, such as
/// `Map @15 is also held by Registry (app.js:12) @77 through entries, and 1 other`. Empty if there is no such
/// node. Roots and nodes that the node itself holds do not count, and neither do the variables of functions:
/// several functions usually share them.
[[nodiscard]] std::string describe_other_holders(const Heap& heap, const std::vector<PathStep>& path);

}  // namespace heapcheck::analyze::answers
