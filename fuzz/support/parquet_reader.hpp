// A small reader for Parquet files with the encodings that our writer uses. It was written from the published
// definition and not from the writer. Anything unexpected ends the process. Owns its results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/core/codec.hpp"
#include "fuzz/support/property.hpp"

namespace heapcheck::fuzz {

/// The values of a column as bytes: each is either a string or the 8 bytes of an integer.
struct ParquetColumn {
  std::string name;
  bool is_text = false;
  bool is_optional = false;
  std::vector<std::optional<std::string>> values = {};
};

/// A value in Thrift's compact protocol. Members that do not belong to its type are empty. The fields of a
/// structure are elements.
struct ThriftValue {
  std::int64_t number = 0;
  std::string text = {};
  std::vector<ThriftValue> elements = {};
  int id = 0;

  [[nodiscard]] const ThriftValue* find(int field) const {
    for (const ThriftValue& element : elements)
      if (element.id == field) return &element;
    return nullptr;
  }
  [[nodiscard]] const ThriftValue& at(int field) const {
    const ThriftValue* found = find(field);
    require(found != nullptr, "a structure has the fields that are required");
    return *found;
  }
  [[nodiscard]] std::size_t size_at(int field) const { return static_cast<std::size_t>(at(field).number); }
};

struct ParquetInput {
  core::ByteSpan rest;

  core::ByteSpan take(std::size_t count) {
    require(count <= rest.size(), "everything is inside the file");
    const core::ByteSpan taken = rest.first(count);
    rest = rest.subspan(count);
    return taken;
  }
  std::size_t take_u32() { return core::decode_le<std::uint32_t>(take(4).data()); }
  std::string take_text(std::size_t count) { return std::string(core::as_text(take(count))); }
  std::uint64_t take_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      require(shift < 64, "a number has at most 64 bits");
      const std::uint8_t byte = take(1)[0];
      value |= std::uint64_t{byte % 128U} << shift;
      if (byte < 128) return value;
    }
  }
  ThriftValue take_thrift(unsigned type) {
    ThriftValue value;
    if (type == 1 || type == 2) value.number = type == 1;
    if (type == 5 || type == 6) {
      const std::uint64_t zigzag = take_varint();
      value.number = static_cast<std::int64_t>(zigzag / 2 ^ (0 - zigzag % 2));
    }
    if (type == 8) value.text = take_text(take_varint());
    if (type == 9) {
      const std::uint8_t head = take(1)[0];
      for (std::uint64_t left = head / 16 == 15 ? take_varint() : head / 16U; left != 0; --left)
        value.elements.push_back(take_thrift(head % 16));
    }
    for (int id = 0; type == 12;) {
      const std::uint8_t head = take(1)[0];
      if (head == 0) break;
      require(head >= 16, "numbers of fields ascend by at most 15");
      id += head / 16;
      value.elements.push_back(take_thrift(head % 16));
      value.elements.back().id = id;
    }
    return value;
  }
  /// Runs and groups of packed values, which all have `width` bits.
  std::vector<std::size_t> take_hybrid(std::size_t width, std::size_t count) {
    std::vector<std::size_t> values;
    while (values.size() < count) {
      const std::uint64_t head = take_varint();
      const core::ByteSpan bytes = take(head % 2 != 0 ? head / 2 * width : (width + 7) / 8);
      for (std::size_t i = 0; i < (head % 2 != 0 ? head / 2 * 8 : head / 2); ++i) {
        std::size_t value = 0;
        for (std::size_t bit = 0; bit < width; ++bit) {
          const std::size_t place = bit + (head % 2 != 0 ? i * width : 0);
          value |= (bytes[place / 8] >> place % 8 & std::size_t{1}) << bit;
        }
        values.push_back(value);
      }
    }
    for (std::size_t i = count; i < values.size(); ++i) require(values[i] == 0, "the rest of a group is 0");
    values.resize(count);
    return values;
  }
  std::string take_plain(bool is_text) { return take_text(is_text ? take_u32() : 8); }
};

/// Reads all rows of the file. Also requires sizes, counts and statistics to be correct.
std::vector<ParquetColumn> read_parquet(core::ByteSpan file);

}  // namespace heapcheck::fuzz
