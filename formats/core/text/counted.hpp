// A number and its noun, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// Returns "1 byte" or "2 bytes". `plural` is needed only if adding an s is not enough.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun,
                                         std::string_view plural = {}) {
  std::string text = std::to_string(count) + " ";
  text += count == 1 || plural.empty() ? noun : plural;
  if (count != 1 && plural.empty()) text += 's';
  return text;
}

}  // namespace heapcheck::core
