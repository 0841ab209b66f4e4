// Marks: names and brackets in the text of a snapshot that can mislead a reader that searches for them
// instead of parsing JSON. There are marks only for text outside the sections.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"

namespace heapcheck::v8::heapsnapshot {

struct TextMark {
  std::uint64_t offset;
  std::string_view text;  ///< `[`, `]`, or the name of a section or `snapshot` in quotes
  bool is_key = false;    ///< whether it is a key that is directly followed by its colon
};

/// The key of a section or of the header.
struct Key {
  Span span;
  bool is_plain = false;  ///< whether it is spelled without escapes
  bool is_tight = false;  ///< whether it is directly followed by its colon
};

/// Everything that a reader finds if it searches the text of the document. It is recorded only on request.
struct Text {
  Key header;
  std::array<Key, section_count> keys;  ///< indexed by Section
  std::vector<Span> others;             ///< the other members, including their keys
  std::vector<TextMark> marks;          ///< the marks in the header and the other members, sorted by offset
};

/// Appends the marks of the current token.
void append_marks(const core::JsonReader& json, std::vector<TextMark>& marks);

}  // namespace heapcheck::v8::heapsnapshot
