// The frames of a profile's call stacks, each once, for the forms that list them. Owns its memory.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "heapcheck/types/profile.hpp"

namespace heapcheck::exports::profiles {

/// A function. What the format does not say is as in AllocationProfile.
struct Frame {
  std::uint32_t name = 0;    ///< an index into the texts of the profile
  std::uint32_t script = 0;  ///< likewise; without a meaning if the profile has no scripts
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Frame&, const Frame&) = default;
};

class Frames {
 public:
  explicit Frames(const AllocationProfile& profile);

  /// The frames, in the order of the places at which they are first.
  [[nodiscard]] const std::vector<Frame>& all() const { return frames_; }
  /// The index of the frame at a place.
  [[nodiscard]] std::uint32_t at(std::uint32_t place) const { return index_[place]; }

 private:
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> index_;  // by place
};

}  // namespace heapcheck::exports::profiles
