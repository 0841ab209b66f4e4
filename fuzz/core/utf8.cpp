// Property: the reader agrees with a naive decoder on which bytes are valid UTF-8 and where a sequence ends.
#include "formats/core/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/support/property.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using heapcheck::fuzz::require;

namespace {

/// Decodes first and checks the code point afterwards, as the text of RFC 3629 describes.
std::optional<DecodedUtf8> decode_naively(ByteSpan bytes) {
  const std::uint8_t first = bytes[0];
  if (first < 0x80) return DecodedUtf8{first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first >= 0xF8 || length > bytes.size()) return std::nullopt;
  char32_t code_point = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (bytes[i] < 0x80 || bytes[i] > 0xBF) return std::nullopt;
    code_point = code_point * 64 + bytes[i] % 64;
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
  if (code_point < smallest[length] || code_point > 0x10FFFF || is_surrogate) return std::nullopt;
  return DecodedUtf8{code_point, length};
}

/// Returns whether up to three more bytes can make `tail` a complete sequence.
bool can_be_completed(ByteSpan tail) {
  for (const std::uint8_t second : std::array<std::uint8_t, 3>{0x80, 0x90, 0xA0}) {
    std::vector<std::uint8_t> bytes(tail.begin(), tail.end());
    while (bytes.size() < 4) bytes.push_back(bytes.size() == 1 ? second : 0x80);
    const auto decoded = decode_naively(bytes);
    if (decoded && decoded->byte_count > tail.size()) return true;
  }
  return false;
}

std::size_t find_cut_naively(ByteSpan bytes) {
  for (std::size_t length = std::min<std::size_t>(3, bytes.size()); length > 0; --length) {
    if (can_be_completed(bytes.last(length))) return length;
  }
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan bytes(data, size);
  std::optional<std::size_t> invalid;
  for (std::size_t offset = 0; offset < size && !invalid;) {
    const auto expected = decode_naively(bytes.subspan(offset));
    const auto decoded = decode_utf8(bytes.subspan(offset));
    require(decoded.has_value() == expected.has_value(), "the same bytes decode");
    if (!expected) {
      invalid = offset;
      break;
    }
    require(decoded->code_point == expected->code_point, "they decode to the same code point");
    require(decoded->byte_count == expected->byte_count, "they decode to the same length");
    std::string encoded;
    encode_utf8(decoded->code_point, encoded);
    require(encoded == as_text(bytes.subspan(offset, decoded->byte_count)), "encoding restores the bytes");
    offset += decoded->byte_count;
  }
  require(find_invalid_utf8(bytes) == invalid, "the first ill-formed sequence is found");
  require(find_cut_utf8(bytes) == find_cut_naively(bytes), "an incomplete sequence at the end is found");
  return 0;
}
