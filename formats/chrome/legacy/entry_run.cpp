#include "formats/chrome/legacy/entry_run.hpp"

#include <cstring>
#include <string_view>

namespace heapcheck::chrome::legacy {
namespace {

/// No entry of the common form, including its comma, is longer than this, so there are no bounds checks
/// inside an entry.
constexpr std::size_t reach = 128;
constexpr std::size_t most_hex_digits = 16;
constexpr std::size_t most_decimal_digits = 10;

constexpr std::uint8_t no_digit = 0xFF;
constexpr auto hex_digits = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::uint8_t i = 0; i < 10; ++i) values[std::size_t{'0'} + i] = i;
  for (std::uint8_t i = 0; i < 6; ++i) {
    const auto value = static_cast<std::uint8_t>(10 + i);
    values[std::size_t{'a'} + i] = values[std::size_t{'A'} + i] = value;
  }
  return values;
}();

struct Entry {
  FrameId frame = no_stack;
  TypeId type = all_types;
  std::uint64_t size = no_value;
  std::uint64_t count = no_value;
};

/// Consumes `text` if it comes next.
template <std::size_t length>
bool take(const std::uint8_t*& at, const char (&text)[length]) {
  if (std::memcmp(at, text, length - 1) != 0) return false;
  at += length - 1;
  return true;
}

/// Consumes hexadecimal digits and the quote after them; returns no_value if anything else comes next.
std::uint64_t take_hex(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (; i <= most_hex_digits; ++i) {
    const std::uint8_t digit = hex_digits[at[i]];
    if (digit == no_digit) break;
    value = value << 4 | digit;
  }
  if (i == 0 || i > most_hex_digits || at[i] != '"') return no_value;
  at += i + 1;
  return value;
}

/// Does the same for a canonical decimal number below first_text_id.
std::uint64_t take_id(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (; i <= most_decimal_digits && at[i] >= '0' && at[i] <= '9'; ++i) value = value * 10 + (at[i] - '0');
  if (i == 0 || at[i] != '"' || (i > 1 && at[0] == '0') || value >= first_text_id) return no_value;
  at += i + 1;
  return value;
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

/// Consumes the member at `at`, unless the entry already has it.
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
/// 0 if it does not have the common form.
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

}  // namespace heapcheck::chrome::legacy
