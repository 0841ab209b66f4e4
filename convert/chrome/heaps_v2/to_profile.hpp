// Works out the meaning of the `heaps_v2` objects of a trace.
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// A profile, and the information in the file that the profile does not preserve. Nothing is lost if the file
/// has no errors.
struct Meaning {
  Profile profile;
  std::vector<Loss> losses;
};

/// Resolves all ids. Frames with the same parent and name become one, and so do rows with the same frame and
/// type. Dumps keep their order; every process has at least one dump. Memory whose node or type id has no
/// definition goes to the empty stack or the type `[unknown]`. The names of processes stay empty.
[[nodiscard]] Meaning to_profile(const format::Model& model);

}  // namespace heapcheck::conversion::chrome::heaps_v2
