#include "formats/mvmheap/v1/rows.hpp"

#include <bit>

#include "formats/core/codec.hpp"
#include "formats/core/text/digits.hpp"
#include "formats/core/text/wide_digits.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

using core::digit_block_bytes;

constexpr std::size_t most_digits = 8;

/// Whether the first numbers of references are kinds. Of other items, they may be any numbers.
template <std::size_t fields>
bool has_sound_kinds(std::span<const std::uint64_t> values, std::size_t count) {
  if (fields != reference_fields.size()) return true;
  for (std::size_t i = 0; i < count; i += fields) {
    if (values[i] > max_reference_kind) return false;
  }
  return true;
}

/// Decodes the items that are completely inside one block of bytes. Finds all non-digit characters in one
/// step.
template <std::size_t fields>
std::size_t decode_block(const std::uint8_t* bytes, RowBlock& rows) {
  std::uint64_t others = core::find_other_than_digits(bytes);
  std::size_t item = 0;
  std::size_t start = 0;
  while (rows.count < RowBlock::capacity) {
    for (std::size_t field = 0; field < fields; ++field) {
      if (others == 0) return item;
      const auto end = static_cast<std::size_t>(std::countr_zero(others));
      const std::size_t length = end - start;
      if (length - 1 >= most_digits || (length > 1 && bytes[start] == '0')) return item;
      const std::uint8_t separator = field + 1 == fields ? std::uint8_t{';'} : std::uint8_t{','};
      if (bytes[end] != separator) return item;
      if (fields == reference_fields.size() && field == 0 && (length > 1 || bytes[start] > '3')) return item;
      const auto digits = core::decode_le<std::uint64_t>(bytes + start);
      rows.columns[field][rows.count] = core::decode_eight_digits(digits << (64 - 8 * length));
      others &= others - 1;
      start = end + 1;
    }
    ++rows.count;
    item = start;
  }
  return item;
}

#if defined(__x86_64__)

constexpr std::size_t wide_bytes = 64;
/// The most rows in a block of that size: two bytes for each number.
template <std::size_t fields>
constexpr std::size_t most_wide_rows = wide_bytes / 2 / fields;

/// The numbers of a block, up to the last row that is complete, and up to what is not well-formed.
struct WideRows {
  core::NumberPlaces places;
  std::size_t byte_count;
};

/// One bit for each number of a block, set for the last one of each row.
template <std::size_t fields>
constexpr std::uint64_t make_row_ends() {
  std::uint64_t ends = 0;
  for (std::size_t i = fields - 1; i < 64; i += fields) ends |= std::uint64_t{1} << i;
  return ends;
}

template <std::size_t fields>
HEAPCHECK_AVX512 WideRows find_rows(__m512i block, __m512i values) {
  const std::uint64_t digits = _mm512_cmplt_epu8_mask(values, _mm512_set1_epi8(10));
  const std::uint64_t commas = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(','));
  const std::uint64_t semicolons = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(';'));
  const std::uint64_t zeros = _mm512_cmpeq_epi8_mask(values, _mm512_setzero_si512());
  const std::uint64_t after_digit = digits << 1U;
  const std::uint64_t starts = digits & ~after_digit;
  const std::uint64_t ends = (commas | semicolons) & after_digit;
  const std::uint64_t expected = _pdep_u64(make_row_ends<fields>(), ends);  // the semicolons
  const std::uint64_t wrong = (~digits & ~ends) | ((expected ^ semicolons) & ends) |
                              (starts & zeros & (digits >> 1U)) | core::find_runs(digits, most_digits + 1);
  const std::uint64_t sound = core::low_bits(static_cast<std::size_t>(std::countr_zero(wrong)));
  const auto byte_count = wide_bytes - static_cast<std::size_t>(std::countl_zero(semicolons & sound));
  const std::uint64_t used = core::low_bits(byte_count);
  return {.places = {.starts = starts & used, .ends = ends & used}, .byte_count = byte_count};
}

/// Decodes blocks of 64 bytes, as long as there is room for as many rows as a block can have. Returns the
/// number of bytes that it used.
template <std::size_t fields>
HEAPCHECK_AVX512 std::size_t decode_wide(core::ByteSpan bytes, RowBlock& rows) {
  std::size_t at = 0;
  while (bytes.size() - at >= wide_bytes && RowBlock::capacity - rows.count >= most_wide_rows<fields>) {
    const __m512i block = _mm512_loadu_si512(bytes.data() + at);
    const __m512i digits = _mm512_sub_epi8(block, _mm512_set1_epi8('0'));
    const WideRows found = find_rows<fields>(block, digits);
    const auto count = static_cast<std::size_t>(std::popcount(found.places.ends));
    const core::NumberLanes lanes(digits, found.places);
    alignas(wide_bytes) std::array<std::uint64_t, wide_bytes / 2 + 8> values;
    for (std::size_t first = 0; first < count; first += 8)
      _mm512_storeu_si512(values.data() + first, lanes.take_eight(first));
    if (count == 0 || !has_sound_kinds<fields>(values, count)) break;
    for (std::size_t row = 0; row < count / fields; ++row) {
      for (std::size_t field = 0; field < fields; ++field)
        rows.columns[field][rows.count + row] = values[row * fields + field];
    }
    rows.count += count / fields;
    at += found.byte_count;
  }
  return at;
}

#endif

template <std::size_t fields>
std::size_t decode(core::ByteSpan bytes, RowBlock& rows) {
  constexpr std::size_t reach = digit_block_bytes + most_digits;
  std::size_t at = 0;
#if defined(__x86_64__)
  if (core::has_wide_digits()) at = decode_wide<fields>(bytes, rows);
#endif
  while (bytes.size() - at >= reach && rows.count < RowBlock::capacity) {
    const std::size_t taken = decode_block<fields>(bytes.data() + at, rows);
    if (taken == 0) break;
    at += taken;
  }
  return at;
}

}  // namespace

std::size_t decode_rows(core::ByteSpan bytes, std::size_t fields, RowBlock& block) {
  switch (fields) {
    case type_fields.size():
      return decode<type_fields.size()>(bytes, block);
    case reference_fields.size():
      return decode<reference_fields.size()>(bytes, block);
    case static_frame_fields.size():
      return decode<static_frame_fields.size()>(bytes, block);
    case collectable_fields.size():
      return decode<collectable_fields.size()>(bytes, block);
    default:
      return 0;
  }
}

}  // namespace heapcheck::mvmheap::v1
