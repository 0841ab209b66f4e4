// Offsets as people and expectations name them.
#pragma once

#include <string>

#include "conformance/check.hpp"
#include "conformance/recipe/build.hpp"

namespace heapcheck::conformance {

/// Whether a finding is about this spot: a value in compressed content is told by its block and
/// its place in the content, anything else by its offset.
bool is_at(const Spot& spot, const FoundFinding& finding);

/// The shortest label of the spot that a finding is about, or its offset.
std::string describe_place(const Built& built, const FoundFinding& finding);

}  // namespace heapcheck::conformance
