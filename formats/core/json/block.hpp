// Classifies the 64 bytes of a block of JSON text with masks that have one bit per byte, starting with the
// lowest bit for the first byte. The masks ignore the boundaries of strings.
#pragma once

#include <cstdint>

#include "formats/core/json/skip.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::core::json {

struct BlockMasks {
  std::uint64_t quote = 0;
  std::uint64_t comma = 0;
  std::uint64_t colon = 0;
  std::uint64_t open = 0;   ///< `{` and `[`
  std::uint64_t close = 0;  ///< `}` and `]`
  std::uint64_t curly = 0;  ///< distinguishes `{}` from `[]`; meaningless for other bytes
  std::uint64_t digit = 0;
  std::uint64_t zero = 0;     ///< the digit 0
  std::uint64_t unusual = 0;  ///< white space, control characters, backslashes, and non-ASCII bytes
};

/// The masks of rare bytes, for a block with `unusual` bytes.
struct UnusualMasks {
  std::uint64_t space = 0;  ///< white space as JSON defines it
  std::uint64_t control = 0;
  std::uint64_t backslash = 0;
  std::uint64_t high = 0;  ///< bytes of 0x80 and above
};

#if defined(__SSE2__)

namespace detail {

class Block {
 public:
  explicit Block(const std::uint8_t* bytes) {
    const auto* const from = reinterpret_cast<const __m128i*>(bytes);
    for (unsigned i = 0; i < 4; ++i) parts_[i] = _mm_loadu_si128(from + i);
  }

  /// One bit per byte: the highest bit of the result of `test` for that byte.
  template <class Test>
  [[nodiscard]] std::uint64_t make_mask(Test test) const {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
      mask |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(test(parts_[i])))} << (16 * i);
    }
    return mask;
  }

  [[nodiscard]] std::uint64_t find(char byte) const {
    return make_mask([byte](__m128i bytes) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); });
  }

 private:
  __m128i parts_[4];
};

}  // namespace detail

[[nodiscard]] inline BlockMasks make_masks(const std::uint8_t* bytes) {
  const detail::Block block(bytes);
  const __m128i case_bit = _mm_set1_epi8(0x20);
  BlockMasks masks;
  masks.quote = block.find('"');
  masks.comma = block.find(',');
  masks.colon = block.find(':');
  masks.open = block.make_mask(
      [&](__m128i b) { return _mm_cmpeq_epi8(_mm_or_si128(b, case_bit), _mm_set1_epi8('{')); });
  masks.close = block.make_mask(
      [&](__m128i b) { return _mm_cmpeq_epi8(_mm_or_si128(b, case_bit), _mm_set1_epi8('}')); });
  masks.curly = block.make_mask([](__m128i b) { return _mm_slli_epi16(b, 2); });
  masks.digit = block.make_mask([](__m128i b) {
    const __m128i value = _mm_sub_epi8(b, _mm_set1_epi8('0'));
    return _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
  });
  masks.zero = block.find('0');
  // As signed numbers, bytes of 0x80 and above are smaller than control characters.
  masks.unusual = block.make_mask([](__m128i b) {
    return _mm_or_si128(_mm_cmplt_epi8(b, _mm_set1_epi8(0x21)), _mm_cmpeq_epi8(b, _mm_set1_epi8('\\')));
  });
  return masks;
}

[[nodiscard]] inline UnusualMasks make_unusual_masks(const std::uint8_t* bytes) {
  const detail::Block block(bytes);
  UnusualMasks masks;
  masks.space = block.find(' ') | block.find('\n') | block.find('\r') | block.find('\t');
  masks.control =
      block.make_mask([](__m128i b) { return _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(0x1F)), b); });
  masks.backslash = block.find('\\');
  masks.high = block.make_mask([](__m128i b) { return b; });
  return masks;
}

#else

[[nodiscard]] inline BlockMasks make_masks(const std::uint8_t* bytes) {
  BlockMasks masks;
  for (unsigned i = 0; i < block_bytes; ++i) {
    const std::uint8_t byte = bytes[i];
    masks.quote |= std::uint64_t{byte == '"'} << i;
    masks.comma |= std::uint64_t{byte == ','} << i;
    masks.colon |= std::uint64_t{byte == ':'} << i;
    masks.open |= std::uint64_t{byte == '{' || byte == '['} << i;
    masks.close |= std::uint64_t{byte == '}' || byte == ']'} << i;
    masks.curly |= std::uint64_t{byte == '{' || byte == '}'} << i;
    masks.digit |= std::uint64_t{byte >= '0' && byte <= '9'} << i;
    masks.zero |= std::uint64_t{byte == '0'} << i;
    masks.unusual |= std::uint64_t{byte <= ' ' || byte >= 0x80 || byte == '\\'} << i;
  }
  return masks;
}

[[nodiscard]] inline UnusualMasks make_unusual_masks(const std::uint8_t* bytes) {
  UnusualMasks masks;
  for (unsigned i = 0; i < block_bytes; ++i) {
    const std::uint8_t byte = bytes[i];
    const bool is_space = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
    masks.space |= std::uint64_t{is_space} << i;
    masks.control |= std::uint64_t{byte < 0x20} << i;
    masks.backslash |= std::uint64_t{byte == '\\'} << i;
    masks.high |= std::uint64_t{byte >= 0x80} << i;
  }
  return masks;
}

#endif

}  // namespace heapcheck::core::json
