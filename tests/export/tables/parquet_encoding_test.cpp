// The expected bytes were made by hand from the published definitions (spec/parquet.md).
#include "export/tables/parquet/encoding.hpp"

#include <array>
#include <initializer_list>
#include <limits>

#include "export/tables/parquet/dictionary.hpp"
#include "export/tables/parquet/statistics.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::exports::tables::parquet;

namespace {

Bytes encode_hybrid(std::initializer_list<std::uint32_t> values, unsigned width) {
  Bytes bytes;
  append_hybrid(std::vector(values), width, bytes);
  return bytes;
}

Bytes encode_varint(std::uint64_t value) {
  Bytes bytes;
  append_varint(value, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("the values 0 to 7 in 3 bits each are packed as in Parquet's definition", "[parquet]") {
  CHECK(encode_hybrid({0, 1, 2, 3, 4, 5, 6, 7}, 3) == Bytes{0x03, 0x88, 0xC6, 0xFA});
}

TEST_CASE("a run has its length, and its value in as few bytes as the width needs", "[parquet]") {
  Bytes run;
  append_hybrid(std::vector<std::uint32_t>(100, 5), 3, run);
  CHECK(run == Bytes{0xC8, 0x01, 0x05});
  run.clear();
  append_hybrid(std::vector<std::uint32_t>(8, 0x1234), 17, run);
  CHECK(run == Bytes{0x10, 0x34, 0x12, 0x00});
}

TEST_CASE("runs and packed groups follow each other, and the last group is padded with zeros", "[parquet]") {
  CHECK(encode_hybrid({1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, 1) ==
        Bytes{0x03, 0x55, 0x10, 0x01, 0x03, 0x02});
  CHECK(encode_hybrid({1, 1, 1}, 1) == Bytes{0x03, 0x07});
  CHECK(encode_hybrid({0xFFFFFFFF, 1}, 32).size() == 33);
  CHECK(encode_hybrid({}, 1).empty());
}

TEST_CASE("the indices of a dictionary have at least one bit", "[parquet]") {
  CHECK(index_width(0) == 1);
  CHECK(index_width(1) == 1);
  CHECK(index_width(2) == 1);
  CHECK(index_width(3) == 2);
  CHECK(index_width(256) == 8);
  CHECK(index_width(257) == 9);
}

TEST_CASE("plain values are little endian, and texts come after their sizes", "[parquet]") {
  Bytes bytes;
  append_plain(std::array<std::int64_t, 2>{0x0102030405060708, 1}, bytes);
  append_plain("ab", bytes);
  append_plain("", bytes);
  CHECK(bytes == Bytes{8, 7, 6, 5, 4, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 'a', 'b', 0, 0, 0, 0});
}

TEST_CASE("fields in Thrift's compact protocol have the difference of their numbers and a type",
          "[parquet]") {
  CHECK(encode_varint(0) == Bytes{0});
  CHECK(encode_varint(300) == Bytes{0xAC, 0x02});
  Bytes bytes;
  ThriftWriter structure(bytes);
  structure.add_i32(1, 1);
  structure.add_i64(3, -1);
  structure.add_binary(4, "x");
  structure.add_bool(7, true);
  structure.add_list(8, ThriftType::i32, 2);
  structure.append_i32(0);
  structure.append_i32(-2);
  structure.add_structure(9).end();
  structure.end();
  CHECK(bytes ==
        Bytes{0x15, 0x02, 0x26, 0x01, 0x18, 0x01, 'x', 0x31, 0x19, 0x25, 0x00, 0x03, 0x1C, 0x00, 0x00});
}

TEST_CASE("a list of 15 elements or more has their number after its type", "[parquet]") {
  Bytes bytes;
  ThriftWriter structure(bytes);
  structure.add_list(1, ThriftType::structure, 14);
  structure.add_list(2, ThriftType::structure, 200);
  CHECK(bytes == Bytes{0x19, 0xEC, 0x19, 0xFC, 0xC8, 0x01});
}

TEST_CASE("a dictionary numbers texts by their content in the order in which they occur", "[parquet]") {
  const std::string first = "one";
  const std::string copy = first;
  TextDictionary dictionary;
  CHECK(dictionary.find_or_add(first) == 0);
  CHECK(dictionary.find_or_add("two") == 1);
  CHECK(dictionary.find_or_add(copy) == 0);
  CHECK(dictionary.find_or_add(std::string_view(first).substr(0, 2)) == 2);
  CHECK(dictionary.find_or_add(std::string_view()) == 3);
  CHECK(dictionary.find_or_add("") == 3);
  CHECK(dictionary.count() == 4);
  CHECK(dictionary.entry(1) == "two");
  CHECK(dictionary.byte_count() == 4 * 4 + 3 + 3 + 2);
}

TEST_CASE("an address can have another text after its texts are forgotten", "[parquet]") {
  std::string text = "one";
  TextDictionary dictionary;
  CHECK(dictionary.find_or_add(text) == 0);
  text = "two";
  dictionary.forget_addresses();
  CHECK(dictionary.find_or_add(text) == 1);
}

TEST_CASE("a dictionary of integers keeps its numbers while it grows", "[parquet]") {
  IntegerDictionary dictionary;
  for (const int round : {1, 2}) {
    INFO(round);
    bool is_same = true;
    for (std::uint32_t i = 0; i < 10'000; ++i) is_same = is_same && dictionary.find_or_add(i * 7) == i;
    CHECK(is_same);
  }
  dictionary.clear();
  CHECK(dictionary.find_or_add(7) == 0);
}

TEST_CASE("bounds of texts are in the order of their bytes, and left out if they are long", "[parquet]") {
  TextBounds bounds;
  CHECK_FALSE(bounds.encode().smallest);
  bounds.add("b");
  bounds.add("\xC3\xA4");
  bounds.add("");
  CHECK(bounds.encode().smallest == "");
  CHECK(bounds.encode().largest == "\xC3\xA4");
  bounds.add(std::string(256, '\xF4'));
  CHECK(bounds.encode().largest == std::string(256, '\xF4'));
  bounds.add(std::string(257, '\xF4'));
  CHECK_FALSE(bounds.encode().largest);
  CHECK(bounds.encode().smallest == "");
}

TEST_CASE("bounds of integers are encoded like plain values", "[parquet]") {
  IntegerBounds bounds;
  CHECK_FALSE(bounds.encode().smallest);
  bounds.add(std::numeric_limits<std::int64_t>::max());
  bounds.add(258);
  CHECK(bounds.encode().smallest == std::string("\x02\x01\0\0\0\0\0\0", 8));
  CHECK(bounds.encode().largest == "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
}
