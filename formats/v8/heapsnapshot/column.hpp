// One column of a table: integers of up to 64 bits, in chunks with the same number of rows. Each chunk stores
// the differences between its values and its smallest value in 0, 1, 2, 4 or 8 bytes each, depending on the
// largest difference. As a result, columns of real snapshots take 0 to 4 bytes per value, and nothing is
// copied when a column grows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "formats/core/codec.hpp"

namespace heapcheck::v8::heapsnapshot {

/// The number of rows in a chunk. Only the last chunk may have fewer.
inline constexpr std::uint64_t chunk_rows = 2048;

class ChunkedColumn {
 public:
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t chunk_count() const { return chunks_.size(); }

  /// The value at `index`, which must be below count().
  [[nodiscard]] std::uint64_t operator[](std::uint64_t index) const {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index / chunk_rows)];
    const std::uint8_t* const at = chunk.bytes.get() + (index % chunk_rows) * chunk.width;
    switch (chunk.width) {
      case 0:
        return chunk.base;
      case 1:
        return chunk.base + *at;
      case 2:
        return chunk.base + core::decode_le<std::uint16_t>(at);
      case 4:
        return chunk.base + core::decode_le<std::uint32_t>(at);
      default:
        return chunk.base + core::decode_le<std::uint64_t>(at);
    }
  }

  /// The smallest and the largest value of a chunk.
  [[nodiscard]] std::uint64_t smallest(std::uint64_t chunk) const { return chunks_[chunk].base; }
  [[nodiscard]] std::uint64_t largest(std::uint64_t chunk) const { return chunks_[chunk].largest; }
  /// The largest of all values, or 0 if there are none.
  [[nodiscard]] std::uint64_t largest() const { return largest_; }

  /// Writes the values of a chunk to the start of `out`, which must be large enough. Returns their number.
  std::size_t decode_chunk(std::uint64_t chunk, std::span<std::uint64_t> out) const;
  /// Does the same, but keeps only the low bits of each value.
  std::size_t decode_chunk(std::uint64_t chunk, std::span<std::uint32_t> out) const;
  std::size_t decode_chunk(std::uint64_t chunk, std::span<std::uint8_t> out) const;

  /// The values of some rows, encoded.
  struct Chunk {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::uint64_t base = 0;
    std::uint64_t largest = 0;
    unsigned width = 0;
  };
  /// Encodes `count` values that are `stride` apart. There must be at least one and at most chunk_rows
  /// values.
  [[nodiscard]] static Chunk encode_chunk(const std::uint64_t* values, std::size_t count, std::size_t stride);
  /// Does the same for adjacent values below 2^32.
  [[nodiscard]] static Chunk encode_chunk(std::span<const std::uint32_t> values);
  /// Appends a chunk of `count` values. All chunks before it must be full.
  void append_chunk(Chunk chunk, std::size_t count);
  void append_chunk(const std::uint64_t* values, std::size_t count, std::size_t stride) {
    if (count != 0) append_chunk(encode_chunk(values, count, stride), count);
  }

  /// The number of bytes that the column takes up.
  [[nodiscard]] std::uint64_t memory() const { return memory_; }

  friend bool operator==(const ChunkedColumn& a, const ChunkedColumn& b);

 private:
  template <class Value>
  std::size_t decode_values(std::uint64_t chunk, std::span<Value> out) const;

  std::vector<Chunk> chunks_;
  std::uint64_t count_ = 0;
  std::uint64_t largest_ = 0;
  std::uint64_t memory_ = 0;
};

/// The values of one chunk of a column.
using ChunkValues = std::array<std::uint64_t, chunk_rows>;

/// Calls `use` for each value, with its row and the value itself.
template <class Use>
void for_each_value(const ChunkedColumn& column, Use&& use) {
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < column.chunk_count(); ++chunk) {
    const std::size_t count = column.decode_chunk(chunk, values);
    for (std::size_t i = 0; i < count; ++i) use(chunk * chunk_rows + i, values[i]);
  }
}

/// The sum of all values, or the largest possible value if the sum would wrap around.
[[nodiscard]] std::uint64_t sum_of(const ChunkedColumn& column);

}  // namespace heapcheck::v8::heapsnapshot
