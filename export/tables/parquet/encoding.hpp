// How Parquet encodes values and levels inside pages. spec: parquet.md#encodings
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "export/tables/parquet/thrift.hpp"

namespace heapcheck::exports::tables::parquet {

/// The numbers are Parquet's.
enum class Encoding : std::uint8_t { plain = 0, rle = 3, rle_dictionary = 8 };

/// PLAIN: 8 bytes for each value, lowest byte first.
void append_plain(std::span<const std::int64_t> values, Bytes& out);
/// PLAIN: the size in 4 bytes, followed by the text.
void append_plain(std::string_view text, Bytes& out);

/// The number of bytes that append_plain() appends.
constexpr std::size_t plain_byte_count(std::int64_t) { return sizeof(std::int64_t); }
constexpr std::size_t plain_byte_count(std::string_view text) { return sizeof(std::uint32_t) + text.size(); }

/// RLE: runs of at least 8 equal values, and groups of 8 values of `width` bits each, 1 to 32. All values
/// must be below 2^width.
void append_hybrid(std::span<const std::uint32_t> values, unsigned width, Bytes& out);

/// The width of the indices into a dictionary. It is at least 1, because not all readers accept 0.
[[nodiscard]] unsigned index_width(std::size_t entry_count);

}  // namespace heapcheck::exports::tables::parquet
