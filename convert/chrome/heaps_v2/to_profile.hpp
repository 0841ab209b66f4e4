// What the `heaps_v2` objects of a trace mean, and the objects that mean a given profile.
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// A profile, and what of the file it does not hold: nothing where the file has no errors.
struct Meaning {
  Profile profile;
  std::vector<Loss> losses;
};

/// Resolves all ids. Frames of the same parent and name become one, as do rows of the same frame and type.
/// Dumps keep their order; a process is there where a dump is. Memory of an id that nothing is defined under
/// goes to the empty stack or the type `[unknown]`. Names of processes are not known here.
[[nodiscard]] Meaning to_profile(const format::Model& model);

}  // namespace heapcheck::conversion::chrome::heaps_v2
