// Numbers for each of the edges of a large graph. They are divided into blocks, because memory in which
// something else was freed rarely has room for all of them in one place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heapcheck::analyze {

class NumberBlocks {
 public:
  NumberBlocks() = default;
  /// `count` numbers, which are uninitialised.
  explicit NumberBlocks(std::size_t count) {
    for (std::size_t i = 0; i < count; i += block_size)
      blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(std::min(block_size, count - i)));
  }
  /// `index` must be below the count.
  [[nodiscard]] std::uint32_t& operator[](std::size_t index) {
    return blocks_.data()[index / block_size].get()[index % block_size];
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 16U;
  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
};

}  // namespace heapcheck::analyze
