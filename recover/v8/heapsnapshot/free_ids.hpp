// Ids that nothing has yet, for rows whose own is another's.
#pragma once

#include <cstdint>
#include <vector>

namespace heapcheck::recovery::v8::heapsnapshot {

/// Gives 1, 1 + `step`, ... without those that were taken. There must not be more than `count` ids in all,
/// given ones included; then they are enough, whatever was taken.
class FreeIds {
 public:
  FreeIds(std::uint64_t count, std::uint64_t step)
      : step_(step), taken_(static_cast<std::size_t>(count * step + 1)) {}

  void take(std::uint64_t id) {
    if (id < taken_.size()) taken_[static_cast<std::size_t>(id)] = true;
  }
  [[nodiscard]] std::uint64_t give() {
    while (taken_[static_cast<std::size_t>(next_)]) next_ += step_;
    take(next_);
    return next_;
  }

 private:
  std::uint64_t step_;
  std::uint64_t next_ = 1;
  std::vector<bool> taken_;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
