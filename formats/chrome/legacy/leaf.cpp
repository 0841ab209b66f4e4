#include "formats/chrome/legacy/leaf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "formats/core/codec.hpp"
#include "formats/core/hot_loop.hpp"
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

// Most values are not decoded one by one but as a block. Until then, a value is a word that contains its
// digits as written, with the last digit in the highest byte and `0` in the bytes below the first. Because
// there are at most 7 digits, the lowest byte is `0`. Any other word is the value itself.
constexpr std::uint64_t zeros = 0x3030303030303030;

constexpr bool holds_digits(std::uint64_t word) { return (word & 0xFFU) == '0'; }

/// The values of one entry as such words.
struct EntryWords {
  std::uint64_t size = no_value;
  std::uint64_t count = no_value;
  std::uint64_t frame = static_cast<std::uint32_t>(no_stack);
  std::uint64_t type = static_cast<std::uint32_t>(all_types);
};

/// The number of bytes before the first quote in `word`, or 8 if it contains none.
[[gnu::always_inline]] inline unsigned count_before_quote(std::uint64_t word) {
  const std::uint64_t other = word ^ 0x2222222222222222;
  // A borrow only changes bytes above the first quote.
  const std::uint64_t quotes = (other - 0x0101010101010101) & ~other & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(quotes)) / 8;
}

/// Consumes 1 to 7 bytes, without checking that they are digits, and the quote after them. Returns false if
/// there is no quote.
[[gnu::always_inline]] inline bool take_digits(const std::uint8_t*& at, std::uint64_t& word) {
  const auto bytes = core::decode_le<std::uint64_t>(at);
  const unsigned count = count_before_quote(bytes);
  if (count - 1 >= word_bytes - 1) return false;
  at += count + 1;
  word = bytes << (64 - 8 * count) | zeros >> 8 * count;
  return true;
}

/// Consumes 1 to 16 hexadecimal digits and the closing quote. Returns no_value if anything else comes next.
std::uint64_t take_long_hex(const std::uint8_t*& at) {
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

/// Consumes a size or count. Leaves long ones that look like digits to the caller.
[[gnu::always_inline]] inline bool take_hex(const std::uint8_t*& at, std::uint64_t& word) {
  if (take_digits(at, word)) return true;
  const std::uint8_t* end = at;
  word = take_long_hex(end);
  at = end;
  return word != no_value && !holds_digits(word);
}

/// Consumes up to seven digits without a leading zero and the closing quote.
[[gnu::always_inline]] inline bool take_id(const std::uint8_t*& at, std::uint64_t& word) {
  const bool has_leading_zero = at[0] == '0' && at[1] != '"';
  return take_digits(at, word) && !has_leading_zero;
}

[[gnu::always_inline]] inline bool take_frame(const std::uint8_t*& at, std::uint64_t& word) {
  if (*at != '"') return take_id(at, word);
  ++at;
  word = static_cast<std::uint32_t>(empty_stack);
  return true;
}

/// The members of an entry, each of which is one bit in a set.
struct Member {
  static constexpr unsigned size = 1;
  static constexpr unsigned count = 2;
  static constexpr unsigned bt = 4;
  static constexpr unsigned type = 8;
};

/// Consumes the member at `at` unless it is one of those seen before.
[[gnu::always_inline]] inline bool take_member(const std::uint8_t*& at, unsigned& seen, EntryWords& entry) {
  const auto is_new = [&seen](unsigned member) { return (std::exchange(seen, seen | member) & member) == 0; };
  switch (at[1]) {
    case 's':
      return is_new(Member::size) && take(at, "\"size\":\"") && take_hex(at, entry.size);
    case 'c':
      return is_new(Member::count) && take(at, "\"count\":\"") && take_hex(at, entry.count);
    case 'b':
      return is_new(Member::bt) && take(at, "\"bt\":\"") && take_frame(at, entry.frame);
    case 't':
      return is_new(Member::type) && take(at, "\"type\":\"") && take_id(at, entry.type);
    default:
      return false;
  }
}

/// Takes the entry at `begin`, which must be followed by a comma. Returns its length without the comma, or 0
/// if the entry does not have the common form.
[[gnu::always_inline]] inline std::size_t take_entry(const std::uint8_t* const begin, EntryWords& entry) {
  if (*begin != '{') return 0;
  const std::uint8_t* at = begin + 1;
  unsigned seen = 0;
  while (take_member(at, seen, entry)) {
    if (at[0] == ',') {
      ++at;
      continue;
    }
    const bool is_whole = at[0] == '}' && at[1] == ',' && (seen & Member::size) != 0;
    return is_whole ? static_cast<std::size_t>(at + 1 - begin) : 0;
  }
  return 0;
}

/// The highest bit of each byte that is above `most` or below `least`, which must both be ASCII.
constexpr std::uint64_t find_outside(std::uint64_t bytes, unsigned least, unsigned most) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t low = bytes & 0x7F7F7F7F7F7F7F7F;
  return (bytes | (low + (127 - most) * ones) | ~(low + (128 - least) * ones)) & 0x8080808080808080;
}

/// 0 if all bytes are digits.
template <bool is_hex>
constexpr std::uint64_t find_other(std::uint64_t digits) {
  const std::uint64_t other = find_outside(digits, '0', '9');
  return is_hex ? other & find_outside(digits | 0x2020202020202020, 'a', 'f') : other;
}

/// The entries whose words are decoded at once. If one of them is invalid, the work on those after it is
/// wasted.
constexpr std::size_t group_rows = 32;
static_assert(EntryBlock::capacity % group_rows == 0);
using GroupColumn = std::array<std::uint64_t, group_rows>;

struct Group {
  std::size_t count = 0;
  GroupColumn size;
  GroupColumn value_count;
  GroupColumn frame;
  GroupColumn type;
};

/// Decodes a column. Returns 0 if all digits are valid. The loop has no branches, a constant length and
/// results in memory of its own, so that compilers use wide instructions.
template <bool is_hex, class T>
[[gnu::always_inline]] inline std::uint64_t decode_column(const GroupColumn& words, T* out) {
  std::uint64_t other = 0;
  std::array<T, group_rows> values;
  for (std::size_t i = 0; i < group_rows; ++i) {
    const std::uint64_t word = words[i];
    const std::uint64_t value =
        is_hex ? core::decode_eight_hex_digits(word) : core::decode_eight_digits(word);
    other |= holds_digits(word) ? find_other<is_hex>(word) : 0;
    values[i] = static_cast<T>(holds_digits(word) ? value : word);
  }
  std::ranges::copy(values, out);
  return other;
}

/// Appends the values of a group to the block. Returns whether all digits are valid.
HEAPCHECK_HOT_LOOP bool decode_group(const Group& group, EntryBlock& block) {
  const std::size_t first = block.count;
  block.count += group.count;
  std::array<std::uint32_t, group_rows> frames;
  std::array<std::uint32_t, group_rows> types;
  const std::uint64_t other = decode_column<true>(group.size, &block.size[first]) |
                              decode_column<true>(group.value_count, &block.value_count[first]) |
                              decode_column<false>(group.frame, frames.data()) |
                              decode_column<false>(group.type, types.data());
  for (std::size_t i = 0; i < group_rows; ++i) block.frame[first + i] = FrameId{frames[i]};
  for (std::size_t i = 0; i < group_rows; ++i) block.type[first + i] = TypeId{types[i]};
  return other == 0;
}

/// The number of entries before the first one with a value that does not consist of digits.
std::size_t count_valid(const Group& group) {
  const auto is_valid = [](std::uint64_t word, std::uint64_t other) {
    return !holds_digits(word) || other == 0;
  };
  std::size_t i = 0;
  while (i < group.count && is_valid(group.size[i], find_other<true>(group.size[i])) &&
         is_valid(group.value_count[i], find_other<true>(group.value_count[i])) &&
         is_valid(group.frame[i], find_other<false>(group.frame[i])) &&
         is_valid(group.type[i], find_other<false>(group.type[i]))) {
    ++i;
  }
  return i;
}

/// Takes entries from `at` on, and adds their places to the block. Returns the offset after them.
std::size_t take_group(core::ByteSpan bytes, std::size_t at, Group& group, EntryBlock& block) {
  for (group.count = 0; group.count < group_rows && bytes.size() - at >= reach; ++group.count) {
    EntryWords entry;
    const std::size_t length = take_entry(bytes.data() + at, entry);
    if (length == 0) break;
    group.size[group.count] = entry.size;
    group.value_count[group.count] = entry.count;
    group.frame[group.count] = entry.frame;
    group.type[group.count] = entry.type;
    block.at[block.count + group.count] = static_cast<std::uint32_t>(at);
    block.length[block.count + group.count] = static_cast<std::uint16_t>(length);
    at += length + 1;
  }
  return at;
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
  Group group{};
  block.count = 0;
  std::size_t at = 0;
  while (block.count < EntryBlock::capacity) {
    const std::size_t first = block.count;
    at = take_group(bytes, at, group, block);
    if (group.count == 0) break;
    if (!decode_group(group, block)) {
      block.count = first + count_valid(group);
      return block.at[block.count];
    }
    if (group.count < group_rows) break;
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
