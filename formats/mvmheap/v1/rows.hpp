// The leaf loop for lists of items, in which reading a version 1 file spends its time: decimal
// numbers straight from the window into columns of one block of rows. Works on borrowed bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {

/// As many rows as fit into the cache, column by column.
struct RowBlock {
  static constexpr std::size_t capacity = 512;

  std::array<std::array<std::uint64_t, capacity>, max_fields> columns;
  std::size_t count = 0;

  [[nodiscard]] std::span<const std::uint64_t> column(std::size_t field) const {
    return std::span(columns[field]).first(count);
  }
};

/// Adds rows of `fields` (2, 3, 4 or 6) fields from the front of `bytes` to `block`, as long as it has
/// room and each is well written and ends in `;`: numbers of one to eight digits, no leading zero. Items
/// of three fields are references: their first number must be up to max_reference_kind. Returns how many
/// bytes were taken; stops some way before the end of `bytes`.
std::size_t decode_rows(core::ByteSpan bytes, std::size_t fields, RowBlock& block);

}  // namespace heapcheck::mvmheap::v1
