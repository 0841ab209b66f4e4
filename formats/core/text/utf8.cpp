#include "formats/core/text/utf8.hpp"

#include <algorithm>
#include <bit>

#include "formats/core/codec.hpp"

namespace heapcheck::core {
namespace {

constexpr char32_t first_surrogate = 0xD800;
constexpr char32_t last_surrogate = 0xDFFF;
constexpr char32_t last_code_point = 0x10FFFF;

/// The sequences that can start with a given first byte: their length (0 if there are none) and the range of
/// their second byte. The range excludes overlong forms and surrogates.
struct Lead {
  std::size_t byte_count;
  std::uint8_t second_first = 0x80;
  std::uint8_t second_last = 0xBF;
};

Lead find_lead(std::uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0U) == 0x80; }

/// Returns whether `bytes` contain such a sequence or the start of one. They must begin with the byte that
/// `lead` describes.
bool follows(const Lead& lead, ByteSpan bytes) {
  if (bytes.size() > 1 && (bytes[1] < lead.second_first || bytes[1] > lead.second_last)) return false;
  for (std::size_t i = 2; i < bytes.size(); ++i) {
    if (!is_continuation(bytes[i])) return false;
  }
  return true;
}

/// The length of the sequence at the front of `bytes`, or 0 if it is ill-formed. `bytes` must not be empty.
std::size_t count_sequence(ByteSpan bytes) {
  const Lead lead = find_lead(bytes[0]);
  if (lead.byte_count == 0 || lead.byte_count > bytes.size()) return 0;
  return follows(lead, bytes.first(lead.byte_count)) ? lead.byte_count : 0;
}

std::size_t count_ascii(ByteSpan bytes) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t count = 0;
  for (; bytes.size() - count >= 8; count += 8) {
    const std::uint64_t high = decode_le<std::uint64_t>(bytes.data() + count) & high_bits;
    if (high != 0) return count + static_cast<std::size_t>(std::countr_zero(high)) / 8;
  }
  while (count < bytes.size() && bytes[count] < 0x80) ++count;
  return count;
}

char as_char(char32_t byte) { return static_cast<char>(static_cast<unsigned char>(byte)); }

/// The continuation byte with the six bits of `code_point` above the lowest `shift` bits.
char make_continuation(char32_t code_point, unsigned shift) {
  return as_char(0x80 | ((code_point >> shift) & 0x3F));
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(ByteSpan bytes) {
  std::size_t offset = 0;
  while (offset < bytes.size()) {
    if (bytes[offset] < 0x80) {
      offset += count_ascii(bytes.subspan(offset));
      continue;
    }
    const std::size_t length = count_sequence(bytes.subspan(offset));
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

std::size_t find_cut_utf8(ByteSpan bytes) {
  const std::size_t longest = std::min<std::size_t>(bytes.size(), 3);
  for (std::size_t length = 1; length <= longest; ++length) {
    const ByteSpan tail = bytes.last(length);
    if (is_continuation(tail[0])) continue;
    const Lead lead = find_lead(tail[0]);
    return lead.byte_count > length && follows(lead, tail) ? length : 0;
  }
  return 0;
}

std::optional<DecodedUtf8> decode_utf8(ByteSpan bytes) {
  if (bytes.empty()) return std::nullopt;
  const std::size_t length = count_sequence(bytes);
  if (length == 0) return std::nullopt;
  if (length == 1) return DecodedUtf8{bytes[0], 1};
  char32_t code_point = bytes[0] & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code_point = (code_point << 6) | (bytes[i] & 0x3FU);
  return DecodedUtf8{code_point, length};
}

void encode_utf8(char32_t code_point, std::string& out) {
  const bool is_surrogate = code_point >= first_surrogate && code_point <= last_surrogate;
  if (is_surrogate || code_point > last_code_point) code_point = replacement_character;
  if (code_point < 0x80) {
    out += as_char(code_point);
    return;
  }
  if (code_point < 0x800) {
    out += as_char(0xC0 | (code_point >> 6));
  } else if (code_point < 0x10000) {
    out += as_char(0xE0 | (code_point >> 12));
    out += make_continuation(code_point, 6);
  } else {
    out += as_char(0xF0 | (code_point >> 18));
    out += make_continuation(code_point, 12);
    out += make_continuation(code_point, 6);
  }
  out += make_continuation(code_point, 0);
}

std::string make_utf8(std::string_view text) {
  std::string made;
  ByteSpan rest = as_bytes(text);
  while (!rest.empty()) {
    const auto decoded = decode_utf8(rest);
    encode_utf8(decoded ? decoded->code_point : replacement_character, made);
    rest = rest.subspan(decoded ? decoded->byte_count : 1);
  }
  return made;
}

}  // namespace heapcheck::core
