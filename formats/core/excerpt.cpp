#include "formats/core/excerpt.hpp"

#include <fmt/format.h>

#include "formats/core/utf8.hpp"

namespace heapcheck::core {
namespace {

bool is_control(char32_t character) { return character < 0x20 || (character >= 0x7F && character < 0xA0); }

}  // namespace

std::string make_excerpt(std::string_view text, std::size_t max_bytes) {
  std::string excerpt;
  while (!text.empty() && excerpt.size() < max_bytes) {
    const auto character = decode_utf8(as_bytes(text));
    if (character && !is_control(character->code_point)) {
      excerpt += text.substr(0, character->byte_count);
      text.remove_prefix(character->byte_count);
    } else {
      excerpt += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    }
  }
  return text.empty() ? excerpt : excerpt + "...";
}

}  // namespace heapcheck::core
