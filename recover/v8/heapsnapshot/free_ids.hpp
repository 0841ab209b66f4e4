// Unused ids, for rows that have the id of another row.
#pragma once

#include <cstdint>
#include <vector>

namespace heapcheck::recovery::v8::heapsnapshot {

/// Hands out 1, 1 + `step`, and so on, skipping the ids that are taken. At most `count` ids may be taken or
/// handed out in total, so that there are always enough.
class FreeIds {
 public:
  FreeIds(std::uint64_t count, std::uint64_t step)
      : step_(step), taken_(static_cast<std::size_t>(count * step + 1)) {}

  void take(std::uint64_t id) {
    if (id < taken_.size()) taken_[static_cast<std::size_t>(id)] = true;
  }
  [[nodiscard]] std::uint64_t next() {
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
