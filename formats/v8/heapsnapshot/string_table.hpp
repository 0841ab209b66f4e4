// The strings of a snapshot, spelled as V8 spells them (spelling.hpp), back to back in chunks so that growing
// copies nothing; and where they are in the file. Owns its text.
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
  /// The string's spelling; `index` must be below count().
  [[nodiscard]] std::string_view operator[](std::uint64_t index) const {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index / chunk_rows)];
    const auto i = static_cast<std::size_t>(index % chunk_rows);
    const std::uint32_t begin = i == 0 ? 0 : chunk.ends[i - 1];
    return std::string_view(chunk.text).substr(begin, chunk.ends[i] - begin);
  }

  /// Returns the text to which the caller appends the spelling of a new string, which begins at `offset` in
  /// the file.
  [[nodiscard]] std::string& begin_string(std::uint64_t offset);
  /// Makes what was appended the next string, and returns how many bytes it takes up; more than any memory
  /// has if the text of its chunk is too long.
  std::uint64_t end_string();
  /// Removes what was appended.
  void drop_string();

  [[nodiscard]] std::uint64_t memory() const;

  /// The place of a string, including its quotes, in an array that ends at `end`. Exact if the strings are
  /// spaced as known writers do it, otherwise the place of its chunk.
  [[nodiscard]] Span find(std::uint64_t index, std::uint64_t end) const;

  friend bool operator==(const StringTable& a, const StringTable& b);

 private:
  struct Chunk {
    std::string text;
    std::vector<std::uint32_t> ends;
    std::uint64_t mark = 0;  ///< where its first string begins in the file
  };

  std::vector<Chunk> chunks_;
  std::uint64_t count_ = 0;
  std::uint64_t text_size_ = 0;  ///< of complete chunks
};

}  // namespace heapcheck::v8::heapsnapshot
