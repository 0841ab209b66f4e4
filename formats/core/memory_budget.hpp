// The memory that a model may take up (Limits::max_memory), and how much of it has been taken so far.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// Once a request exceeds the remaining memory, no later request fits either.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t max) : max_(max) {}

  /// Returns whether another `byte_count` bytes fit.
  [[nodiscard]] bool has_room(std::uint64_t byte_count) const {
    return !is_spent_ && taken_ <= max_ && byte_count <= max_ - taken_;
  }
  /// Does the same, but if the bytes do not fit, nothing fits from then on.
  [[nodiscard]] bool fits(std::uint64_t byte_count) {
    is_spent_ = !has_room(byte_count);
    return !is_spent_;
  }

  /// Counts bytes as taken, whether or not they fit.
  void take(std::uint64_t byte_count) { taken_ += byte_count; }
  void give_back(std::uint64_t byte_count) { taken_ -= byte_count; }

  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] std::uint64_t left() const { return has_room(0) ? max_ - taken_ : 0; }
  [[nodiscard]] std::uint64_t max() const { return max_; }
  [[nodiscard]] bool is_spent() const { return is_spent_; }
  /// The message of the finding about `things` that do not fit.
  [[nodiscard]] std::string describe_lack(std::string_view things) const {
    return std::string(things) + " need more memory than the limit of " + std::to_string(max_) + " bytes";
  }

 private:
  std::uint64_t max_;
  std::uint64_t taken_ = 0;
  bool is_spent_ = false;
};

}  // namespace heapcheck::core
