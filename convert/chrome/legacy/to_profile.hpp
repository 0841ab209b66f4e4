// What legacy heap dumps mean: self values by stack and type. Where entries are missing because they were
// below the writer's threshold, what they held becomes frames and a type `<other>`, and that is a loss.
// Linear, but for sorting. spec: chrome/legacy.md#values
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

struct ToProfile {
  Profile profile;
  std::vector<Loss> losses;  ///< in a fixed order; none of count 0
};

/// All of `model`, whatever is wrong with it. An outermost frame or callee called `<self>` without callees of
/// its own is not a frame, but its caller's memory.
ToProfile to_profile(const format::Model& model);

}  // namespace heapcheck::conversion::chrome::legacy
