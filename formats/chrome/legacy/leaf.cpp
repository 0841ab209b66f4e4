#include "formats/chrome/legacy/leaf.hpp"

#include <cstring>

#include "formats/core/codec.hpp"
#include "formats/core/json/leaf.hpp"
#include "formats/core/text/digits.hpp"

namespace heapcheck::chrome::legacy {
namespace {

/// No entry in the common form is longer than this, including its comma, so no bounds checks are needed
/// inside an entry.
constexpr std::size_t reach = 128;
constexpr std::size_t word_bytes = 8;

/// Consumes `text` if that comes next.
template <std::size_t length>
bool take(const std::uint8_t*& at, const char (&text)[length]) {
  if (std::memcmp(at, text, length - 1) != 0) return false;
  at += length - 1;
  return true;
}

/// Consumes 1 to 16 hexadecimal digits and the closing quote. Returns no_value if anything else comes next.
std::uint64_t take_hex(const std::uint8_t*& at) {
  auto word = core::decode_le<std::uint64_t>(at);
  unsigned count = core::count_word_hex_digits(word);
  std::uint64_t value = 0;
  if (count == word_bytes) {
    value = core::decode_eight_hex_digits(word);
    at += word_bytes;
    word = core::decode_le<std::uint64_t>(at);
    count = core::count_word_hex_digits(word);
    if (count == 0) return *at++ == '"' ? value : no_value;
  }
  if (count == 0 || at[count] != '"') return no_value;
  at += count + 1;
  const unsigned bits = 4 * count;
  return value << bits | core::decode_eight_hex_digits(word << (64 - 2 * bits));
}

/// Consumes a canonical decimal number of up to seven digits and the closing quote. Returns no_value if
/// anything else comes next.
std::uint64_t take_id(const std::uint8_t*& at) {
  const auto word = core::decode_le<std::uint64_t>(at);
  const unsigned count = core::json::count_word_digits(word);
  if (count - 1 >= word_bytes - 1 || at[count] != '"' || (count > 1 && at[0] == '0')) return no_value;
  at += count + 1;
  return core::decode_eight_digits(word << (64 - 8 * count));
}

bool take_frame(const std::uint8_t*& at, FrameId& frame) {
  if (*at == '"') {
    ++at;
    frame = empty_stack;
    return true;
  }
  const std::uint64_t id = take_id(at);
  frame = static_cast<FrameId>(id);
  return id != no_value;
}

/// Consumes the member at `at` unless the entry already has that member.
bool take_member(const std::uint8_t*& at, Entry& entry) {
  switch (at[1]) {
    case 's':
      return entry.size == no_value && take(at, "\"size\":\"") && (entry.size = take_hex(at)) != no_value;
    case 'c':
      return entry.count == no_value && take(at, "\"count\":\"") && (entry.count = take_hex(at)) != no_value;
    case 'b':
      return entry.frame == no_stack && take(at, "\"bt\":\"") && take_frame(at, entry.frame);
    case 't': {
      if (entry.type != all_types || !take(at, "\"type\":\"")) return false;
      const std::uint64_t id = take_id(at);
      entry.type = static_cast<TypeId>(id);
      return id != no_value;
    }
    default:
      return false;
  }
}

/// Decodes the entry at `begin`, which must be followed by a comma. Returns its length without the comma, or
/// 0 if the entry does not have the common form.
std::size_t take_entry(const std::uint8_t* const begin, Entry& entry) {
  if (*begin != '{') return 0;
  const std::uint8_t* at = begin + 1;
  while (take_member(at, entry)) {
    if (at[0] == ',') {
      ++at;
      continue;
    }
    const bool is_whole = at[0] == '}' && at[1] == ',' && entry.size != no_value;
    return is_whole ? static_cast<std::size_t>(at + 1 - begin) : 0;
  }
  return 0;
}

/// No member in the usual form is longer than this, so no bounds checks are needed inside a member.
constexpr std::size_t longest_name = 8 * core::json::plain_reach;
constexpr std::size_t longest_member = longest_name + core::json::plain_reach + 64;

/// Consumes a canonical decimal number of up to nine digits and the closing quote.
bool take_frame_id(const std::uint8_t*& at, FrameId& id) {
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

/// Consumes a string without escapes and the closing quote.
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

std::size_t decode_entries(core::ByteSpan bytes, EntryBlock& block) {
  block.count = 0;
  std::size_t at = 0;
  while (bytes.size() - at >= reach && block.count < EntryBlock::capacity) {
    Entry entry;
    const std::size_t length = take_entry(bytes.data() + at, entry);
    if (length == 0) break;
    const std::size_t row = block.count++;
    block.frame[row] = entry.frame;
    block.type[row] = entry.type;
    block.size[row] = entry.size;
    block.value_count[row] = entry.count;
    block.at[row] = static_cast<std::uint32_t>(at);
    block.length[row] = static_cast<std::uint16_t>(length);
    at += length + 1;
  }
  return at;
}

FrameMember decode_frame(core::ByteSpan bytes) {
  FrameMember frame;
  if (bytes.size() < longest_member) return frame;
  const std::uint8_t* at = bytes.data();
  if (!take(at, ",\"") || !take_frame_id(at, frame.id) || !take(at, ":{\"name\":\"")) return frame;
  if (!take_name(at, frame.name)) return frame;
  if (*at == ',' && !(take(at, ",\"parent\":\"") && take_frame_id(at, frame.parent))) return frame;
  if (*at != '}') return frame;
  frame.byte_count = static_cast<std::size_t>(at + 1 - bytes.data());
  return frame;
}

}  // namespace heapcheck::chrome::legacy
