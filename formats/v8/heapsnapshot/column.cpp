#include "formats/v8/heapsnapshot/column.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace heapcheck::v8::heapsnapshot {
namespace {

unsigned width_of(std::uint64_t range) {
  if (range == 0) return 0;
  if (range <= std::numeric_limits<std::uint8_t>::max()) return 1;
  if (range <= std::numeric_limits<std::uint16_t>::max()) return 2;
  return range <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
}

template <class T>
void encode(const std::uint64_t* values, std::size_t count, std::size_t stride, std::uint64_t base,
            std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto difference = static_cast<T>(values[i * stride] - base);
    core::store_le(difference, out + i * sizeof(T));
  }
}

template <class T, class Value>
void decode(const std::uint8_t* bytes, std::uint64_t base, std::span<Value> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<Value>(base + core::decode_le<T>(bytes + i * sizeof(T)));
}

}  // namespace

void ChunkedColumn::append_chunk(const std::uint64_t* values, std::size_t count, std::size_t stride) {
  if (count == 0) return;
  std::uint64_t smallest = values[0];
  std::uint64_t largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    smallest = std::min(smallest, values[i * stride]);
    largest = std::max(largest, values[i * stride]);
  }
  Chunk chunk{nullptr, smallest, largest, width_of(largest - smallest)};
  if (chunk.width != 0) chunk.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(count * chunk.width);
  std::uint8_t* const out = chunk.bytes.get();
  if (chunk.width == 1) encode<std::uint8_t>(values, count, stride, smallest, out);
  if (chunk.width == 2) encode<std::uint16_t>(values, count, stride, smallest, out);
  if (chunk.width == 4) encode<std::uint32_t>(values, count, stride, smallest, out);
  if (chunk.width == 8) encode<std::uint64_t>(values, count, stride, smallest, out);
  memory_ += count * chunk.width + sizeof(Chunk);
  count_ += count;
  largest_ = std::max(largest_, largest);
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

}  // namespace heapcheck::v8::heapsnapshot
