// Hand-written leaf parsers for rows of maps in the form that Chrome writes them: members in that order, no
// blanks, no escapes, ids of up to seven digits. They work on borrowed bytes and allocate nothing; what they
// do not take, JsonReader reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// `{"id":6,"name_sid":5,"parent":4}` or without a parent, which is no_id then.
struct NamedRow {
  std::uint64_t id = 0;
  std::uint64_t name_sid = 0;
  std::uint64_t parent = 0;
};
/// `{"id":6,"string":"main"}`; the text is borrowed.
struct StringRow {
  std::uint64_t id = 0;
  std::string_view text;
};

/// The row at the front of `bytes`, and how many bytes it takes up with the comma behind it; 0 where it is in
/// another form or may go on behind `bytes`.
[[nodiscard]] std::size_t decode_named_row(core::ByteSpan bytes, NamedRow& row);
[[nodiscard]] std::size_t decode_string_row(core::ByteSpan bytes, StringRow& row);

}  // namespace heapcheck::chrome::heaps_v2
