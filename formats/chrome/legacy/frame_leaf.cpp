#include "formats/chrome/legacy/frame_leaf.hpp"

#include <cstring>

#include "formats/core/json/leaf.hpp"

namespace heapcheck::chrome::legacy {
namespace {

/// No member of the usual form is longer than this, so there are no bounds checks inside a member.
constexpr std::size_t longest_name = 8 * core::json::plain_reach;
constexpr std::size_t longest_member = longest_name + core::json::plain_reach + 64;

/// Consumes `text` if it comes next.
template <std::size_t length>
bool take_text(const std::uint8_t*& at, const char (&text)[length]) {
  if (std::memcmp(at, text, length - 1) != 0) return false;
  at += length - 1;
  return true;
}

/// Consumes a canonical decimal number of up to nine digits, and the quote after it.
bool take_id(const std::uint8_t*& at, FrameId& id) {
  constexpr std::size_t most_digits = 9;
  std::uint32_t value = 0;
  std::size_t count = 0;
  for (; count < most_digits && at[count] >= '0' && at[count] <= '9'; ++count) {
    value = value * 10 + (at[count] - std::uint32_t{'0'});
  }
  if (count == 0 || at[count] != '"' || (count > 1 && at[0] == '0')) return false;
  id = FrameId{value};
  at += count + 1;
  return true;
}

/// Consumes a string without escapes, and the quote after it.
bool take_name(const std::uint8_t*& at, std::string_view& name) {
  std::size_t length = 0;
  std::size_t step = core::json::plain_reach;
  while (step == core::json::plain_reach && length < longest_name) {
    step = core::json::count_plain(at + length);
    length += step;
  }
  if (at[length] != '"') return false;
  name = core::as_text({at, length});
  at += length + 1;
  return true;
}

}  // namespace

FrameMember decode_frame(core::ByteSpan bytes) {
  FrameMember frame;
  if (bytes.size() < longest_member) return frame;
  const std::uint8_t* at = bytes.data();
  if (!take_text(at, ",\"") || !take_id(at, frame.id) || !take_text(at, ":{\"name\":\"")) return frame;
  if (!take_name(at, frame.name)) return frame;
  if (*at == ',' && !(take_text(at, ",\"parent\":\"") && take_id(at, frame.parent))) return frame;
  if (*at != '}') return frame;
  frame.byte_count = static_cast<std::size_t>(at + 1 - bytes.data());
  return frame;
}

}  // namespace heapcheck::chrome::legacy
