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

template <class Value>
struct Bounds {
  Value smallest;
  Value largest;
};

/// Compilers only use wide instructions for loops whose length they know.
constexpr std::size_t block_values = 64;

template <class Value>
[[gnu::always_inline]] inline Bounds<Value> find_bounds_of(const Value* values, std::size_t count) {
  Bounds<Value> bounds{values[0], values[0]};
  std::size_t i = 0;
  for (; count - i >= block_values; i += block_values) {
    for (std::size_t k = i; k < i + block_values; ++k) {
      bounds.smallest = std::min(bounds.smallest, values[k]);
      bounds.largest = std::max(bounds.largest, values[k]);
    }
  }
  for (; i < count; ++i) bounds = {std::min(bounds.smallest, values[i]), std::max(bounds.largest, values[i])};
  return bounds;
}

HEAPCHECK_HOT_LOOP Bounds<std::uint64_t> find_bounds(const std::uint64_t* values, std::size_t count) {
  return find_bounds_of(values, count);
}
HEAPCHECK_HOT_LOOP Bounds<std::uint32_t> find_bounds(const std::uint32_t* values, std::size_t count) {
  return find_bounds_of(values, count);
}

template <class T, class Value>
[[gnu::always_inline]] inline void encode_values(const Value* values, std::size_t count, Value base,
                                                 std::uint8_t* out) {
  std::size_t i = 0;
  for (; count - i >= block_values; i += block_values) {
    for (std::size_t k = i; k < i + block_values; ++k)
      core::store_le(static_cast<T>(values[k] - base), out + k * sizeof(T));
  }
  for (; i < count; ++i) core::store_le(static_cast<T>(values[i] - base), out + i * sizeof(T));
}

HEAPCHECK_HOT_LOOP void encode(const std::uint64_t* values, std::size_t count, std::uint64_t base,
                               unsigned width, std::uint8_t* out) {
  if (width == 1) encode_values<std::uint8_t>(values, count, base, out);
  if (width == 2) encode_values<std::uint16_t>(values, count, base, out);
  if (width == 4) encode_values<std::uint32_t>(values, count, base, out);
  if (width == 8) encode_values<std::uint64_t>(values, count, base, out);
}
HEAPCHECK_HOT_LOOP void encode(const std::uint32_t* values, std::size_t count, std::uint32_t base,
                               unsigned width, std::uint8_t* out) {
  if (width == 1) encode_values<std::uint8_t>(values, count, base, out);
  if (width == 2) encode_values<std::uint16_t>(values, count, base, out);
  if (width == 4) encode_values<std::uint32_t>(values, count, base, out);
}

template <class Value>
ChunkedColumn::Chunk encode_adjacent(std::span<const Value> values) {
  const Bounds<Value> bounds = find_bounds(values.data(), values.size());
  ChunkedColumn::Chunk chunk{nullptr, bounds.smallest, bounds.largest,
                             width_of(bounds.largest - bounds.smallest)};
  if (chunk.width != 0)
    chunk.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(values.size() * chunk.width);
  encode(values.data(), values.size(), bounds.smallest, chunk.width, chunk.bytes.get());
  return chunk;
}

template <class T, class Value>
[[gnu::always_inline]] inline void decode_values(const std::uint8_t* bytes, std::uint64_t base,
                                                 std::span<Value> out) {
  const auto decode = [&](std::size_t i) __attribute__((always_inline)) {
    out[i] = static_cast<Value>(static_cast<Value>(base) +
                                static_cast<Value>(core::decode_le<T>(bytes + i * sizeof(T))));
  };
  std::size_t i = 0;
  for (; out.size() - i >= block_values; i += block_values) {
    for (std::size_t k = i; k < i + block_values; ++k) decode(k);
  }
  for (; i < out.size(); ++i) decode(i);
}

template <class Value>
[[gnu::always_inline]] inline void decode_any(const ChunkedColumn::Chunk& chunk, std::span<Value> out) {
  const std::uint8_t* const bytes = chunk.bytes.get();
  if (chunk.width == 0) std::ranges::fill(out, static_cast<Value>(chunk.base));
  if (chunk.width == 1) decode_values<std::uint8_t>(bytes, chunk.base, out);
  if (chunk.width == 2) decode_values<std::uint16_t>(bytes, chunk.base, out);
  if (chunk.width == 4) decode_values<std::uint32_t>(bytes, chunk.base, out);
  if (chunk.width == 8) decode_values<std::uint64_t>(bytes, chunk.base, out);
}

HEAPCHECK_HOT_LOOP void decode(const ChunkedColumn::Chunk& chunk, std::span<std::uint64_t> out) {
  decode_any(chunk, out);
}
HEAPCHECK_HOT_LOOP void decode(const ChunkedColumn::Chunk& chunk, std::span<std::uint32_t> out) {
  decode_any(chunk, out);
}
HEAPCHECK_HOT_LOOP void decode(const ChunkedColumn::Chunk& chunk, std::span<std::uint8_t> out) {
  decode_any(chunk, out);
}

}  // namespace

ChunkedColumn::Chunk ChunkedColumn::encode_chunk(const std::uint64_t* values, std::size_t count,
                                                 std::size_t stride) {
  // Many adjacent values can be compared and encoded at a time.
  std::array<std::uint64_t, chunk_rows> column;
  for (std::size_t i = 0; i < count; ++i) column[i] = values[i * stride];
  return encode_adjacent(std::span<const std::uint64_t>(column).first(count));
}

ChunkedColumn::Chunk ChunkedColumn::encode_chunk(std::span<const std::uint32_t> values) {
  return encode_adjacent(values);
}

void ChunkedColumn::append_chunk(Chunk chunk, std::size_t count) {
  memory_ += count * chunk.width + sizeof(Chunk);
  count_ += count;
  largest_ = std::max(largest_, chunk.largest);
  chunks_.push_back(std::move(chunk));
}

template <class Value>
std::size_t ChunkedColumn::decode_values(std::uint64_t chunk, std::span<Value> out) const {
  const std::uint64_t count = std::min(chunk_rows, count_ - chunk * chunk_rows);
  decode(chunks_[static_cast<std::size_t>(chunk)], out.first(static_cast<std::size_t>(count)));
  return static_cast<std::size_t>(count);
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
