// Thrift's compact protocol, in which Parquet's headers and its footer are encoded: fields with their
// numbers, in ascending order, and integers of variable length. Appends to bytes, which it borrows. spec:
// parquet.md#thrift
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::exports::tables::parquet {

using Bytes = std::vector<std::uint8_t>;

inline void append(core::ByteSpan bytes, Bytes& out) { out.insert(out.end(), bytes.begin(), bytes.end()); }

/// Appends 7 bits in each byte, lowest bits first. The highest bit is set in all bytes except the last.
inline void append_varint(std::uint64_t value, Bytes& out) {
  for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out.push_back(static_cast<std::uint8_t>(value));
}

enum class ThriftType : std::uint8_t {
  yes = 1,
  no = 2,
  i32 = 5,
  i64 = 6,
  binary = 8,
  list = 9,
  structure = 12
};

/// Encodes the fields of one structure. Field numbers must be in ascending order. A nested structure has its
/// own writer.
class ThriftWriter {
 public:
  explicit ThriftWriter(Bytes& out) : out_(&out) {}

  void add_bool(int field, bool value) { begin(field, value ? ThriftType::yes : ThriftType::no); }
  void add_i32(int field, std::int32_t value) { add_integer(field, ThriftType::i32, value); }
  void add_i64(int field, std::int64_t value) { add_integer(field, ThriftType::i64, value); }
  void add_binary(int field, std::string_view bytes) {
    begin(field, ThriftType::binary);
    append_binary(bytes);
  }
  /// `count` elements must follow.
  void add_list(int field, ThriftType type, std::size_t count) {
    constexpr std::size_t is_long = 15;
    begin(field, ThriftType::list);
    const std::size_t short_count = count < is_long ? count : is_long;
    out_->push_back(static_cast<std::uint8_t>(short_count << 4U | static_cast<std::uint8_t>(type)));
    if (count >= is_long) append_varint(count, *out_);
  }
  void append_i32(std::int32_t element) { append_zigzag(element); }
  void append_binary(std::string_view element) {
    append_varint(element.size(), *out_);
    append(core::as_bytes(element), *out_);
  }
  /// Begins a nested structure as a field.
  [[nodiscard]] ThriftWriter add_structure(int field) {
    begin(field, ThriftType::structure);
    return ThriftWriter(*out_);
  }
  /// Begins a structure that is the next element of a list.
  [[nodiscard]] ThriftWriter append_structure() { return ThriftWriter(*out_); }
  /// Ends the structure. Call this once.
  void end() { out_->push_back(0); }

 private:
  void begin(int field, ThriftType type) {
    out_->push_back(static_cast<std::uint8_t>((field - last_) << 4 | static_cast<int>(type)));
    last_ = field;
  }
  void add_integer(int field, ThriftType type, std::int64_t value) {
    begin(field, type);
    append_zigzag(value);
  }
  void append_zigzag(std::int64_t value) {
    append_varint(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63), *out_);
  }

  Bytes* out_;
  int last_ = 0;  // the number of the last field
};

}  // namespace heapcheck::exports::tables::parquet
