// Finds the labels of offsets, for messages and for expectations.
#pragma once

#include <string>

#include "conformance/check.hpp"
#include "conformance/recipe/build.hpp"

namespace heapcheck::conformance {

/// Whether a finding concerns this place. A value in compressed content is identified by its block and its
/// offset in the content, and any other value by its offset in the file.
bool is_at(const Spot& spot, const FoundFinding& finding);

/// The shortest label of the place that a finding concerns, or the offset of that place.
std::string describe_place(const Built& built, const FoundFinding& finding);

}  // namespace heapcheck::conformance
