// The strings of a snapshot, spelled as V8 spells them (spelling.hpp), back to back in chunks so that
// nothing is copied when there are more; and where they stand in the file. Owns its text.
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

  /// The text that the spelling of a new string is to be appended to. It begins at `offset` in the file.
  [[nodiscard]] std::string& begin_string(std::uint64_t offset);
  /// Takes what was appended as the next string, and says how many bytes that takes up; more than there
  /// are, where the text of its chunk is too long.
  std::uint64_t end_string();
  /// Takes what was appended away again.
  void drop_string();

  [[nodiscard]] std::uint64_t memory() const;

  /// Where a string stands, quotes included, in an array that ends at `end`: exactly where strings are
  /// spaced as writers do it, or else its chunk's place.
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
  std::uint64_t text_size_ = 0;  ///< of whole chunks
};

}  // namespace heapcheck::v8::heapsnapshot
