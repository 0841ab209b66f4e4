// The carriage returns that a program in text mode wrote before line feeds, and that a source left out. They
// connect offsets in the file with offsets in its content, from which these bytes are missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::core {

class AddedBytes {
 public:
  /// Records a byte that was left out right before the byte of the content at `offset`. Offsets do not
  /// decrease.
  void add(std::uint64_t offset);

  /// The number of bytes that were left out.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The offset of the first byte that was left out, which is the same in the file and in the content.
  [[nodiscard]] std::uint64_t first() const { return first_; }

  /// The offset in the file of the byte of the content at `offset`, or of the byte that was left out right
  /// before it.
  [[nodiscard]] std::uint64_t to_file(std::uint64_t offset) const;
  /// The place in the file of these bytes of the content, with the bytes that were left out between them.
  [[nodiscard]] Span to_file(const Span& span) const {
    const std::uint64_t start = to_file(span.offset);
    return {start, to_file(span.offset + span.length) - start};
  }
  /// The opposite of the first: the largest offset in the content for which to_file() is at most `offset`.
  [[nodiscard]] std::uint64_t from_file(std::uint64_t offset) const;

 private:
  /// The number of bytes left out up to the one before `offset`, and the position of the next distance.
  struct Mark {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
    std::size_t next = 0;
  };

  bool advance(Mark& mark) const;

  std::vector<std::uint8_t> distances_;  // from each offset to the next, 7 bits in a byte
  std::vector<Mark> marks_{Mark{}};      // every 1024 offsets, so that a search need not decode all distances
  Mark last_;
  std::uint64_t count_ = 0;
  std::uint64_t first_ = 0;
};

}  // namespace heapcheck::core
