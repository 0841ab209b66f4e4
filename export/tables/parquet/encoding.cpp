#include "export/tables/parquet/encoding.hpp"

#include <algorithm>
#include <bit>

#include "formats/core/codec.hpp"

namespace heapcheck::exports::tables::parquet {

namespace {

constexpr std::size_t group = 8;  // the number of values that are packed together

/// The number of equal values at the start.
std::size_t count_equal(std::span<const std::uint32_t> values) {
  std::size_t count = 1;
  while (count < values.size() && values[count] == values[0]) ++count;
  return count;
}

void append_run(std::uint32_t value, std::size_t count, unsigned width, Bytes& out) {
  append_varint(std::uint64_t{count} << 1U, out);
  for (unsigned bit = 0; bit < width; bit += 8) out.push_back(static_cast<std::uint8_t>(value >> bit));
}

/// Packs the values, padded with zeros to a multiple of 8 values.
void append_packed(std::span<const std::uint32_t> values, unsigned width, Bytes& out) {
  if (values.empty()) return;
  const std::size_t groups = (values.size() + group - 1) / group;
  append_varint(std::uint64_t{groups} << 1U | 1U, out);
  std::size_t place = out.size();
  out.resize(place + groups * width);
  std::uint64_t bits = 0;
  unsigned count = 0;
  for (const std::uint32_t value : values) {
    bits |= std::uint64_t{value} << count;
    count += width;
    if (count < 32) continue;
    core::store_le(static_cast<std::uint32_t>(bits), &out[place]);
    place += sizeof(std::uint32_t);
    bits >>= 32U;
    count -= 32;
  }
  for (; bits != 0; bits >>= 8U) out[place++] = static_cast<std::uint8_t>(bits);
}

}  // namespace

void append_plain(std::span<const std::int64_t> values, Bytes& out) {
  std::size_t place = out.size();
  out.resize(place + values.size_bytes());
  for (const std::int64_t value : values) {
    core::store_le(static_cast<std::uint64_t>(value), out.data() + place);
    place += sizeof value;
  }
}

void append_plain(std::string_view text, Bytes& out) {
  core::encode_le(static_cast<std::uint32_t>(text.size()), out);
  append(core::as_bytes(text), out);
}

void append_hybrid(std::span<const std::uint32_t> values, unsigned width, Bytes& out) {
  std::size_t packed = 0;  // the number of values before `i` that have not been written
  for (std::size_t i = 0; i < values.size();) {
    const std::size_t equal = count_equal(values.subspan(i));
    if (equal < group) {
      i += std::min(group, values.size() - i);
      continue;
    }
    append_packed(values.subspan(packed, i - packed), width, out);
    append_run(values[i], equal, width, out);
    i += equal;
    packed = i;
  }
  append_packed(values.subspan(packed), width, out);
}

unsigned index_width(std::size_t entry_count) {
  return entry_count <= 2 ? 1 : static_cast<unsigned>(std::bit_width(entry_count - 1));
}

}  // namespace heapcheck::exports::tables::parquet
