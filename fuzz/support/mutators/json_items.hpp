// A JSON document as the list of its values, each with the bytes it stands in, so that a fuzzer changes
// values instead of bytes. Lenient: what is no JSON belongs to the values around it, and what is still open
// at the end goes as far as that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heapcheck::fuzz {

enum class JsonKind : std::uint8_t { object, array, string, scalar };

/// Places are offsets of bytes in the text.
struct JsonItem {
  static constexpr std::uint32_t no_parent = static_cast<std::uint32_t>(-1);

  JsonKind kind =
      JsonKind::scalar;  ///< a scalar is all that is none of the others: a number most of the time
  std::uint32_t parent = no_parent;  ///< a place in the list
  std::uint32_t child_count = 0;
  std::uint32_t string_count = 0;  ///< how many children are strings
  std::size_t first = 0;           ///< the first byte of the key, or of the value where it has none
  std::size_t key_end = 0;         ///< behind the key; `first` where there is none
  std::size_t begin = 0;           ///< the value's first byte
  std::size_t end = 0;             ///< behind its last one

  [[nodiscard]] bool is_container() const { return kind <= JsonKind::array; }
  [[nodiscard]] bool has_key() const { return key_end != first; }
};

/// The values of the first document in `text`, in its order: a container stands before what it holds. What
/// is behind that document is in none. Linear, without recursion.
std::vector<JsonItem> list_json_items(std::string_view text);

}  // namespace heapcheck::fuzz
