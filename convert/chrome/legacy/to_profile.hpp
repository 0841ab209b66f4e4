// Works out the meaning of legacy heap dumps: self values by stack and type. If entries are missing because
// they were below the writer's threshold, their memory goes to frames and a type called `<other>`, which is a
// loss. Linear time except for sorting. spec: chrome/legacy.md#values
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

struct ToProfile {
  Profile profile;
  std::vector<Loss> losses;  ///< in a fixed order; none has a count of 0
};

/// Converts all of `model`, whatever faults it has. The memory of a frame called `<self>` without callees
/// becomes its caller's own memory.
ToProfile to_profile(const format::Model& model);

}  // namespace heapcheck::conversion::chrome::legacy
