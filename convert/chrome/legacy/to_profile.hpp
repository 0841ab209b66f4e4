// Works out the meaning of legacy heap dumps: self values by stack and type. If entries are missing because
// they were below the writer's threshold, their memory goes to frames and a type called `<other>`, which is a
// loss. Linear time except for sorting. spec: chrome/legacy.md#values
#pragma once

#include <cstdint>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

struct ToProfile {
  Profile profile;
  std::vector<Loss> losses;  ///< in a fixed order; none has a count of 0
};

/// Where the memory of a stack with callees goes that is in none of their entries: it may be the stack's own
/// or that of callees without an entry.
enum class Remainders : std::uint8_t {
  in_callee,  ///< to a callee `<other>`, unless the threshold is 0
  in_stack,   ///< to the stack itself
};

/// Converts all of `model`, whatever faults it has. The memory of a frame called `<self>` without callees
/// becomes its caller's own memory.
ToProfile to_profile(const format::Model& model, Remainders remainders = Remainders::in_callee);

}  // namespace heapcheck::conversion::chrome::legacy
