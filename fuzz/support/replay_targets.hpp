// Lists all fuzz targets in the replay program. fuzz/CMakeLists.txt generates the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heapcheck::fuzz {

struct ReplayTarget {
  std::string_view name;  ///< `fuzz_<slug>_<name>`
  int (*run)(const std::uint8_t* data, std::size_t size);
};

[[nodiscard]] std::span<const ReplayTarget> replay_targets();

}  // namespace heapcheck::fuzz
