// Makes new names that look like given ones, so that a larger dump also has more distinct names. Owns a
// fingerprint of each name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "bench/enlarge/random.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::bench {

class FreshNames {
 public:
  explicit FreshNames(Random& random) : random_(&random) {}

  /// Makes sure that no new name is equal to this name.
  void add(std::string_view name) { known_.insert(fingerprint(name)); }

  /// A new name with the length of `like`, and with letters and digits in the same places. JSON escapes are
  /// kept. The name is a few characters longer if all other names of that form appear to be in use.
  std::string make(std::string_view like);

 private:
  static std::uint64_t fingerprint(std::string_view name);
  [[nodiscard]] std::string change(std::string_view like);

  Random* random_;
  std::unordered_set<std::uint64_t, core::KeyedHash> known_;
  std::uint64_t added_ = 0;  // the number of names with a number at the end
};

}  // namespace heapcheck::bench
