// The innermost loop for lists of items, in which most of the time for reading a version 1 file is spent.
// Decimal numbers go straight from the window into the columns of a block of rows. Works on borrowed bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {

/// The maximum number of digits in a number in a well-formed row.
inline constexpr std::size_t most_digits = 8;

/// A block of rows in columns that fit in the cache.
struct RowBlock {
  static constexpr std::size_t capacity = 512;

  std::array<std::array<std::uint64_t, capacity>, max_fields> columns;
  std::size_t count = 0;

  [[nodiscard]] std::span<const std::uint64_t> column(std::size_t field) const {
    return std::span(columns[field]).first(count);
  }
};

/// Adds rows of `fields` (2, 3, 4 or 6) fields from the front of `bytes` to `block`, as long as there is room
/// and each row is well-formed and ends in `;`. The fields of a well-formed row are numbers with one to
/// most_digits digits and no leading zeros. Items with three fields are references, whose first number must
/// not exceed max_reference_kind. Returns the number of bytes used. Stops a few bytes before the end of
/// `bytes`. The result does not depend on core::used_lanes().
std::size_t decode_rows(core::ByteSpan bytes, std::size_t fields, RowBlock& block);

/// Does the work of decode_rows() with core::used_lanes(), if any, but stops further from the end of `rows`
/// (wide_rows.cpp).
template <std::size_t fields>
std::size_t decode_wide_rows(core::ByteSpan bytes, RowBlock& rows);

}  // namespace heapcheck::mvmheap::v1
