// What legacy heap dumps mean: self values by stack and type. Where entries are missing because they were
// below the writer's threshold, what they held becomes frames and a type `<other>`, and that is a loss.
// Linear, but for sorting. spec: chrome/legacy.md#values
#pragma once

#include <vector>

#include "formats/chrome/legacy/model.hpp"
#include "formats/chrome/profile.hpp"

namespace heapcheck::chrome::legacy {

struct ToProfile {
  Profile profile;
  std::vector<core::Loss> losses;  ///< in a fixed order; none of count 0
};

/// All of `model`, whatever is wrong with it. An outermost frame or callee called `<self>` without callees of
/// its own is not a frame, but its caller's memory.
ToProfile to_profile(const Model& model);

}  // namespace heapcheck::chrome::legacy
