// Pseudo-random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace heapcheck::bench {

class Random {
 public:
  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  /// A number below `bound`, which must not be 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// An element of a container, which must not be empty.
  template <class Container>
  const auto& pick(const Container& from) {
    return from[static_cast<std::size_t>(below(from.size()))];
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace heapcheck::bench
