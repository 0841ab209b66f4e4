// The content of a `strings` block: for each string, its length as a u32 and its bytes. spec:
// mvmheap/v3.md#strings
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap::v3 {

/// Describes the error in a string heap that is not filled exactly by its strings and their lengths.
struct FramingError {
  std::uint64_t index;  ///< the string with the wrong length, counted from the start of the heap
  Span place;           ///< the position of that length in the content
  std::string message;
};

/// Appends the strings in `content` to `table`. If there is an error, does not append anything.
std::optional<FramingError> read_string_heap(core::ByteSpan content, StringTable& table);

/// Returns the content for the strings [first, last) of `table`.
std::vector<std::uint8_t> encode_string_heap(const StringTable& table, std::uint64_t first,
                                             std::uint64_t last);

}  // namespace heapcheck::mvmheap::v3
