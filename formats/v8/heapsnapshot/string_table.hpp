// The strings of a snapshot, spelled as in V8 and stored one directly after another in chunks, so that
// nothing is copied when the table grows. Also stores the offsets of the strings in the file. Owns its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapsnapshot/column.hpp"

namespace heapcheck::v8::heapsnapshot {

class StringTable {
 public:
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The spelling of the string. `index` must be below count().
  [[nodiscard]] std::string_view operator[](std::uint64_t index) const {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index / chunk_rows)];
    const auto i = static_cast<std::size_t>(index % chunk_rows);
    const std::uint32_t begin = i == 0 ? 0 : chunk.ends[i - 1];
    return std::string_view(chunk.text).substr(begin, chunk.ends[i] - begin);
  }

  /// Begins a new string, which is at `offset` in the file. Returns the text to which the caller must append
  /// the spelling of the string.
  [[nodiscard]] std::string& begin_string(std::uint64_t offset);
  /// Makes the appended text the next string. Returns the number of bytes that the string takes up, or a
  /// number that exceeds every limit if the text of its chunk is too long.
  std::uint64_t end_string();
  /// Removes the appended text.
  void drop_string();

  [[nodiscard]] std::uint64_t memory() const;

  /// The span of a string, including its quotes, in an array that ends at `end`. The span is exact if the
  /// strings are spaced as by a known writer; otherwise, it is the span of the string's chunk.
  [[nodiscard]] Span find(std::uint64_t index, std::uint64_t end) const;

  friend bool operator==(const StringTable& a, const StringTable& b);

 private:
  struct Chunk {
    std::string text;
    std::vector<std::uint32_t> ends;
    std::uint64_t mark = 0;  ///< the offset of its first string in the file
  };

  std::vector<Chunk> chunks_;
  std::uint64_t count_ = 0;
  std::uint64_t text_size_ = 0;  ///< the size of the complete chunks
};

// Spells JSON strings as V8 does, using only ASCII and writing every other UTF-16 code unit as \uXXXX. In
// this spelling, equal strings consist of the same bytes, halves of surrogate pairs are not lost, and strings
// can be written by copying them.

/// Spells `text`, which must be UTF-8. A lone surrogate may be given as three bytes, encoded like any other
/// code point.
void append_spelling(std::string_view text, std::string& out);

/// Spells a string that is already JSON and whose opening quote has been removed. Appends the part before the
/// closing quote and returns the length of that part in `json`. Returns not_respelled if `json` contains no
/// closing quote, a non-ASCII byte or an invalid escape.
[[nodiscard]] std::size_t respell(core::ByteSpan json, std::string& out);
inline constexpr std::size_t not_respelled = static_cast<std::size_t>(-1);

/// The text with that spelling, in UTF-8. Half a surrogate pair becomes U+FFFD.
[[nodiscard]] std::string decode_spelling(std::string_view spelling);

}  // namespace heapcheck::v8::heapsnapshot
