// Hand-written leaf parsers for rows of maps in the form that Chrome writes: members in the order below, no
// white space, no escapes, ids of up to seven digits. They work on borrowed bytes and allocate nothing.
// JsonReader reads the rows that they do not recognise.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// `{"id":6,"name_sid":5,"parent":4}`, or the same without a parent; `parent` is then no_id.
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

/// Decodes the row at the front of `bytes`. Returns its length in bytes, including the comma after it, or 0
/// if it has a different form or may continue beyond `bytes`.
[[nodiscard]] std::size_t decode_named_row(core::ByteSpan bytes, NamedRow& row);
[[nodiscard]] std::size_t decode_string_row(core::ByteSpan bytes, StringRow& row);

}  // namespace heapcheck::chrome::heaps_v2
