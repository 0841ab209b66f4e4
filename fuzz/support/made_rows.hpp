// Makes the rows of a table from choices, for targets that write tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/tables/table.hpp"
#include "formats/core/codec.hpp"
#include "fuzz/support/choices.hpp"

namespace heapcheck::fuzz {

/// The values of a column as bytes: each is either a string or the 8 bytes of an integer.
using MadeValues = std::vector<std::optional<std::string>>;

/// Appends the same value `count` times, or values that differ by a step. A few texts are long.
inline void make_values(const exports::tables::Column& column, Choices& choices, std::size_t count,
                        MadeValues& values) {
  const std::uint64_t step = choices.take_byte() % 4 == 0 ? choices.take_amount() : 0;
  std::uint64_t number = choices.take_amount();
  std::string text = choices.take_name();
  const bool is_long = choices.take_byte() >= 0xFC && count < 256;
  if (is_long) text.append(std::size_t{1} << (count < 16 ? 19U : 14U), 'x');
  const bool is_null = column.is_optional && choices.take_bool();
  for (std::size_t i = 0; i < count; ++i, number += step) {
    std::vector<std::uint8_t> bytes;
    core::encode_le(number % (std::uint64_t{1} << 63U), bytes);
    std::string value(bytes.begin(), bytes.end());
    if (column.type == exports::tables::ColumnType::text)
      value = step == 0 ? text : text + std::to_string(number);
    values.push_back(is_null ? std::nullopt : std::optional(std::move(value)));
  }
}

/// Some of the values in the form used in rows, borrowed. If `is_shared` is true, a string that is equal to
/// the previous text has the same address.
inline exports::tables::Values borrow_values(const exports::tables::Column& column, const MadeValues& made,
                                             std::size_t first, std::size_t count, bool is_shared) {
  exports::tables::Values values;
  for (std::size_t row = first; row < first + count; ++row) {
    if (column.is_optional) values.is_present.push_back(made[row] ? 1 : 0);
    if (column.type == exports::tables::ColumnType::integer) {
      const std::uint8_t* bytes = made[row] ? core::as_bytes(*made[row]).data() : nullptr;
      values.integers.push_back(bytes ? static_cast<std::int64_t>(core::decode_le<std::uint64_t>(bytes))
                                      : -1);
    } else {
      const std::string_view text = made[row] ? std::string_view(*made[row]) : "no value";
      const bool is_same = is_shared && row > first && made[row - 1] && values.texts.back() == text;
      values.texts.push_back(is_same ? values.texts.back() : text);
    }
  }
  return values;
}

}  // namespace heapcheck::fuzz
