// Marks: places in the text of a snapshot where a reader that searches for names of sections and for
// brackets, instead of reading JSON, can take one thing for another. Only texts outside of sections have any.
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
  std::string_view text;  ///< the name of a section or `snapshot`, which stands there in quotes; `[` or `]`
  bool is_key = false;    ///< it is a key, with its colon right behind
};

/// The key of a section or of the header.
struct Key {
  Span span;
  bool is_plain = false;  ///< spelled without escapes
  bool is_tight = false;  ///< its colon stands right behind it
};

/// What a reader sees that searches the text of the document. Only read where asked for.
struct Text {
  Key header;
  std::array<Key, section_count> keys;  ///< by Section
  std::vector<Span> others;             ///< members of other names, key and value
  std::vector<TextMark> marks;          ///< of these and of the header, in their order
};

/// Appends the marks of the current token.
void append_marks(const core::JsonReader& json, std::vector<TextMark>& marks);

}  // namespace heapcheck::v8::heapsnapshot
