// Learns how strongly the type of a node depends on something else, such as the name of an edge to it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Weights are natural logarithms of probabilities multiplied by this number.
inline constexpr double log_unit = 8;
/// The largest weight of a single piece of evidence.
inline constexpr std::int64_t most_of_piece = 6 * 8;
/// Further types of nodes and edges count as one type.
inline constexpr std::size_t type_limit = 64;

inline std::size_t limit_type(std::uint64_t type) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(type, type_limit - 1));
}

/// How often causes and effects occur together, compared with how often they would by chance. Effects are
/// below `type_limit`.
class TypePairs {
 public:
  void add(std::size_t cause, std::size_t effect) {
    add_pair(cause, effect);
    add_effect(effect);
  }
  void add_effect(std::size_t effect) {
    ++effects_[effect];
    ++count_;
  }
  void add_pair(std::size_t cause, std::size_t effect) {
    ++pairs_[cause * type_limit + effect];
    ++causes_[cause];
  }
  /// The logarithm of how much more probable the effect is with the cause than in general; 0 if the cause is
  /// unknown.
  [[nodiscard]] std::int64_t weigh(std::size_t cause, std::size_t effect) const {
    constexpr double chance = 2;  // how many pairs count as seen by chance
    const auto of_cause = causes_.find(cause);
    if (of_cause == causes_.end()) return 0;
    const auto of_pair = pairs_.find(cause * type_limit + effect);
    const double seen = of_pair == pairs_.end() ? 0 : static_cast<double>(of_pair->second);
    const double share = static_cast<double>(effects_[effect] + 1) / static_cast<double>(count_ + type_limit);
    const double ratio = (seen + chance * share) / ((static_cast<double>(of_cause->second) + chance) * share);
    return std::clamp<std::int64_t>(std::llround(log_unit * std::log(ratio)), -most_of_piece, most_of_piece);
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t, core::KeyedHash> pairs_;
  std::unordered_map<std::uint64_t, std::uint64_t, core::KeyedHash> causes_;
  std::array<std::uint64_t, type_limit> effects_{};
  std::uint64_t count_ = 0;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
