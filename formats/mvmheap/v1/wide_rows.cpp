#include <bit>

#include "formats/core/hot_loop.hpp"
#include "formats/core/text/avx2_digits.hpp"
#include "formats/core/text/avx512_digits.hpp"
#include "formats/core/text/wide_block.hpp"
#include "formats/mvmheap/v1/rows.hpp"

namespace heapcheck::mvmheap::v1 {

#if defined(__x86_64__)

namespace {

using core::wide_block_bytes;

/// Whether the first numbers of references are valid kinds. In other items, the first numbers may have any
/// value.
template <std::size_t fields>
bool has_sound_kinds(std::span<const std::uint64_t> values, std::size_t count) {
  if (fields != reference_fields.size()) return true;
  for (std::size_t i = 0; i < count; i += fields) {
    if (values[i] > max_reference_kind) return false;
  }
  return true;
}

/// Whether there is room for the maximum number of rows in a block, with two bytes for each number.
template <std::size_t fields>
bool has_room(core::ByteSpan bytes, const RowBlock& rows) {
  constexpr std::size_t most_rows = wide_block_bytes / 2 / fields + 1;
  return bytes.size() >= core::wide_block_reach && RowBlock::capacity - rows.count >= most_rows;
}

/// The numbers up to the last complete row, or up to the first text that is not well-formed. `row_ends`
/// contains the ends of numbers at which semicolons are expected.
[[gnu::always_inline]] inline core::NumberPlaces find_rows(const core::NumberMasks& masks,
                                                           std::uint64_t row_ends) {
  const std::uint64_t semicolons = masks.separators;
  const std::uint64_t wrong = (~masks.digits & ~masks.ends()) | ((row_ends ^ semicolons) & masks.ends()) |
                              masks.leading_zeros() | core::find_runs<most_digits + 1>(masks.digits);
  return core::find_sound_numbers(masks, wrong, semicolons);
}

/// Moves the digits of the numbers in a block into columns, after the rows that are already counted. Returns
/// the number of rows, or 0 if a row does not end in a semicolon or if a kind is wrong.
template <std::size_t fields>
[[gnu::always_inline]] inline std::size_t take_rows(const std::uint8_t* block, core::NumberPlaces places,
                                                    std::uint64_t semicolons, RowBlock& rows) {
  std::uint64_t row_ends = 0;
  bool is_sound = true;
  std::size_t row = rows.count;
  for (; places.ends != 0; ++row) {
    for (std::size_t field = 0; field < fields; ++field) {
      if (field + 1 == fields) row_ends |= places.ends & (~places.ends + 1);
      const std::uint64_t digits = core::take_digits(block, places);
      rows.columns[field][row] = digits;
      // A kind is the highest byte, and the other bytes are 0.
      if (fields == reference_fields.size() && field == 0) is_sound &= std::rotl(digits, 8) <= '3';
    }
  }
  return is_sound && row_ends == semicolons ? row - rows.count : 0;
}

template <std::size_t fields>
HEAPCHECK_AVX2 std::size_t decode_avx2(core::ByteSpan bytes, RowBlock& rows) {
  const std::size_t first = rows.count;
  std::size_t at = 0;
  while (has_room<fields>(bytes.subspan(at), rows)) {
    const std::uint8_t* const block = bytes.data() + at;
    const core::NumberMasks masks = core::Avx2Block(block).find_masks(';');
    // The semicolons are checked later, so that the search for the next block does not have to wait for this
    // check.
    const core::NumberPlaces places = find_rows(masks, masks.separators);
    const std::uint64_t semicolons = masks.separators & core::low_bits(places.byte_count);
    const std::size_t count = take_rows<fields>(block, places, semicolons, rows);
    if (count == 0) break;
    rows.count += count;
    at += places.byte_count;
  }
  for (std::size_t field = 0; field < fields; ++field)
    core::decode_taken(std::span(rows.columns[field]).subspan(first, rows.count - first));
  return at;
}

/// One bit for each number in a block. The bit is set for the last number of each row.
template <std::size_t fields>
constexpr std::uint64_t make_row_ends() {
  std::uint64_t ends = 0;
  for (std::size_t i = fields - 1; i < 64; i += fields) ends |= std::uint64_t{1} << i;
  return ends;
}

template <std::size_t fields>
HEAPCHECK_AVX512 std::size_t decode_avx512(core::ByteSpan bytes, RowBlock& rows) {
  std::size_t at = 0;
  while (has_room<fields>(bytes.subspan(at), rows)) {
    const core::Avx512Block block(bytes.data() + at);
    const core::NumberMasks masks = block.find_masks(';');
    const core::NumberPlaces places = find_rows(masks, _pdep_u64(make_row_ends<fields>(), masks.ends()));
    const auto count = static_cast<std::size_t>(std::popcount(places.ends));
    const core::NumberLanes lanes(block, places);
    alignas(wide_block_bytes) std::array<std::uint64_t, wide_block_bytes / 2 + 8> values;
    for (std::size_t first = 0; first < count; first += 8)
      _mm512_storeu_si512(values.data() + first, lanes.take_eight(first));
    if (count == 0 || !has_sound_kinds<fields>(values, count)) break;
    for (std::size_t row = 0; row < count / fields; ++row) {
      for (std::size_t field = 0; field < fields; ++field)
        rows.columns[field][rows.count + row] = values[row * fields + field];
    }
    rows.count += count / fields;
    at += places.byte_count;
  }
  return at;
}

}  // namespace

template <std::size_t fields>
std::size_t decode_wide_rows(core::ByteSpan bytes, RowBlock& rows) {
  switch (core::used_lanes()) {
    case core::Lanes::none:
      return 0;
    case core::Lanes::avx2:
      return decode_avx2<fields>(bytes, rows);
    case core::Lanes::avx512:
      return decode_avx512<fields>(bytes, rows);
  }
  return 0;
}

#else

template <std::size_t fields>
std::size_t decode_wide_rows(core::ByteSpan, RowBlock&) {
  return 0;
}

#endif

template std::size_t decode_wide_rows<type_fields.size()>(core::ByteSpan, RowBlock&);
template std::size_t decode_wide_rows<reference_fields.size()>(core::ByteSpan, RowBlock&);
template std::size_t decode_wide_rows<static_frame_fields.size()>(core::ByteSpan, RowBlock&);
template std::size_t decode_wide_rows<collectable_fields.size()>(core::ByteSpan, RowBlock&);

}  // namespace heapcheck::mvmheap::v1
