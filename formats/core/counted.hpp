// A number with its noun, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// "1 byte", "2 bytes"; `plural` where adding an s is not enough.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun,
                                         std::string_view plural = {}) {
  std::string text = std::to_string(count) + " ";
  text += count == 1 || plural.empty() ? noun : plural;
  if (count != 1 && plural.empty()) text += 's';
  return text;
}

}  // namespace heapcheck::core
