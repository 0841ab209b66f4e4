#include "formats/mvmheap/v1/rows.hpp"

#include <bit>

#include "formats/core/codec.hpp"
#include "formats/core/text/digits.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

using core::digit_block_bytes;

/// Decodes the items that lie completely within one block of bytes. Finds all non-digit characters in one
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
      // If a field is empty, the subtraction wraps around.
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

template <std::size_t fields>
std::size_t decode(core::ByteSpan bytes, RowBlock& rows) {
  constexpr std::size_t reach = digit_block_bytes + most_digits;
  std::size_t at = decode_wide_rows<fields>(bytes, rows);
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
