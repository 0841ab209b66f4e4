#include "formats/v8/heapsnapshot/column.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "formats/core/checked.hpp"
#include "formats/core/hot_loop.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

unsigned width_of(std::uint64_t range) {
  if (range == 0) return 0;
  if (range <= std::numeric_limits<std::uint8_t>::max()) return 1;
  if (range <= std::numeric_limits<std::uint16_t>::max()) return 2;
  return range <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
}

struct Bounds {
  std::uint64_t smallest;
  std::uint64_t largest;
};

HEAPCHECK_HOT_LOOP Bounds find_bounds(const std::uint64_t* values, std::size_t count) {
  std::uint64_t smallest = values[0];
  std::uint64_t largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    smallest = std::min(smallest, values[i]);
    largest = std::max(largest, values[i]);
  }
  return {smallest, largest};
}

template <class T>
void encode_values(const std::uint64_t* values, std::size_t count, std::uint64_t base, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i)
    core::store_le(static_cast<T>(values[i] - base), out + i * sizeof(T));
}

HEAPCHECK_HOT_LOOP void encode(const std::uint64_t* values, std::size_t count, std::uint64_t base,
                               unsigned width, std::uint8_t* out) {
  if (width == 1) encode_values<std::uint8_t>(values, count, base, out);
  if (width == 2) encode_values<std::uint16_t>(values, count, base, out);
  if (width == 4) encode_values<std::uint32_t>(values, count, base, out);
  if (width == 8) encode_values<std::uint64_t>(values, count, base, out);
}

template <class T, class Value>
void decode(const std::uint8_t* bytes, std::uint64_t base, std::span<Value> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<Value>(base + core::decode_le<T>(bytes + i * sizeof(T)));
}

}  // namespace

ChunkedColumn::Chunk ChunkedColumn::encode_chunk(const std::uint64_t* values, std::size_t count,
                                                 std::size_t stride) {
  // Many adjacent values can be compared and encoded at a time.
  std::array<std::uint64_t, chunk_rows> column;
  for (std::size_t i = 0; i < count; ++i) column[i] = values[i * stride];
  const Bounds bounds = find_bounds(column.data(), count);
  Chunk chunk{nullptr, bounds.smallest, bounds.largest, width_of(bounds.largest - bounds.smallest)};
  if (chunk.width != 0) chunk.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(count * chunk.width);
  encode(column.data(), count, bounds.smallest, chunk.width, chunk.bytes.get());
  return chunk;
}

void ChunkedColumn::append_chunk(Chunk chunk, std::size_t count) {
  memory_ += count * chunk.width + sizeof(Chunk);
  count_ += count;
  largest_ = std::max(largest_, chunk.largest);
  chunks_.push_back(std::move(chunk));
}

template <class Value>
std::size_t ChunkedColumn::decode_values(std::uint64_t chunk_index, std::span<Value> out) const {
  const Chunk& chunk = chunks_[static_cast<std::size_t>(chunk_index)];
  const std::uint64_t count = std::min(chunk_rows, count_ - chunk_index * chunk_rows);
  out = out.first(static_cast<std::size_t>(count));
  const std::uint8_t* const bytes = chunk.bytes.get();
  if (chunk.width == 0) std::ranges::fill(out, static_cast<Value>(chunk.base));
  if (chunk.width == 1) decode<std::uint8_t>(bytes, chunk.base, out);
  if (chunk.width == 2) decode<std::uint16_t>(bytes, chunk.base, out);
  if (chunk.width == 4) decode<std::uint32_t>(bytes, chunk.base, out);
  if (chunk.width == 8) decode<std::uint64_t>(bytes, chunk.base, out);
  return out.size();
}

std::size_t ChunkedColumn::decode_chunk(std::uint64_t chunk, std::span<std::uint64_t> out) const {
  return decode_values(chunk, out);
}

std::size_t ChunkedColumn::decode_chunk(std::uint64_t chunk, std::span<std::uint32_t> out) const {
  return decode_values(chunk, out);
}

std::size_t ChunkedColumn::decode_chunk(std::uint64_t chunk, std::span<std::uint8_t> out) const {
  return decode_values(chunk, out);
}

bool operator==(const ChunkedColumn& a, const ChunkedColumn& b) {
  if (a.count_ != b.count_) return false;
  for (std::uint64_t i = 0; i < a.count_; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

std::uint64_t sum_of(const ChunkedColumn& column) {
  std::uint64_t sum = 0;
  for_each_value(column,
                 [&sum](std::uint64_t, std::uint64_t value) { sum = core::saturating_add(sum, value); });
  return sum;
}

}  // namespace heapcheck::v8::heapsnapshot
