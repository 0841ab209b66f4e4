// A JSON document as a list of its values, each with its bytes, so that a fuzzer can change values instead of
// bytes. Parsing is lenient: text that is not JSON belongs to the values around it, and containers that are
// not closed end at the end of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heapcheck::fuzz {

enum class JsonKind : std::uint8_t { object, array, string, scalar };

/// A value. Its positions are byte offsets in the text.
struct JsonItem {
  static constexpr std::uint32_t no_parent = static_cast<std::uint32_t>(-1);

  JsonKind kind = JsonKind::scalar;  ///< `scalar` for anything else, usually a number
  std::uint32_t parent = no_parent;  ///< an index in the list
  std::uint32_t child_count = 0;
  std::uint32_t string_count = 0;  ///< the number of children that are strings
  std::size_t first = 0;           ///< the first byte of the key, or of the value if it has no key
  std::size_t key_end = 0;         ///< the end of the key; `first` if there is none
  std::size_t begin = 0;           ///< the value's first byte
  std::size_t end = 0;             ///< the end of the value

  [[nodiscard]] bool is_container() const { return kind <= JsonKind::array; }
  [[nodiscard]] bool has_key() const { return key_end != first; }
};

/// Lists the values of the first document in `text` in order. A container comes before its content. Text
/// after that document does not belong to any value. Takes linear time and does not use recursion.
std::vector<JsonItem> list_json_items(std::string_view text);

}  // namespace heapcheck::fuzz
