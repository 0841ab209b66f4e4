#include "formats/mvmheap/column.hpp"

#include "formats/core/codec.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using heapcheck::mvmheap::Column;

namespace {

template <class Entry>
std::vector<std::uint8_t> encode_all(const std::vector<std::uint64_t>& values) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t value : values) core::encode_le(static_cast<Entry>(value), bytes);
  return bytes;
}

template <class T>
std::vector<std::uint64_t> values_of(const Column<T>& column) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < column.count(); ++i) values.push_back(column[i]);
  return values;
}

const std::vector<std::uint64_t> mixed{0,     254,         255,         256,           65534,      65535,
                                       65536, 0xFFFF'FFFE, 0xFFFF'FFFF, 0x1'0000'0000, UINT64_MAX, 7};

}  // namespace

TEST_CASE("a column keeps every value, even one too wide for its type", "[column]") {
  Column<std::uint16_t> bytes;
  Column<std::uint16_t> words;
  Column<std::uint32_t> doubles;
  const auto entries = encode_all<std::uint64_t>(mixed);
  bytes.append(entries, 8);
  words.append(entries, 8);
  doubles.append(entries, 8);
  CHECK(values_of(bytes) == mixed);
  CHECK(values_of(words) == mixed);
  CHECK(values_of(doubles) == mixed);
  CHECK(!doubles.is_narrow());
}

TEST_CASE("values do not depend on the size of a column's entries in the file", "[column]") {
  const std::vector<std::uint64_t> values{1, 255, 65535, 0, 300};
  Column<std::uint16_t> a;
  Column<std::uint16_t> b;
  Column<std::uint16_t> c;
  a.append(encode_all<std::uint16_t>(values), 2);
  b.append(encode_all<std::uint32_t>(values), 4);
  for (const std::uint64_t value : values) c.push_back(value);
  CHECK(a == b);
  CHECK(a == c);
  CHECK(values_of(a) == values);
}

TEST_CASE("wide values keep their positions across pieces", "[column]") {
  Column<std::uint16_t> column;
  const auto entries = encode_all<std::uint64_t>(mixed);
  for (std::size_t at = 0; at < entries.size(); at += 8)
    column.append(core::ByteSpan(entries).subspan(at, 8), 8);
  CHECK(values_of(column) == mixed);
}

TEST_CASE("shortening a column drops the wide values after its new end", "[column]") {
  Column<std::uint32_t> column;
  column.append(encode_all<std::uint64_t>(mixed), 8);
  column.truncate(9);
  CHECK(column.count() == 9);
  column.push_back(5);
  CHECK(column[8] == 0xFFFF'FFFF);
  CHECK(column[9] == 5);
  column.truncate(100);
  CHECK(column.count() == 10);
  column.clear();
  CHECK(column.count() == 0);
  CHECK(column.is_narrow());
}

TEST_CASE("a column that is shortened to values that fit is narrow again", "[column]") {
  Column<std::uint32_t> column;
  column.append(std::vector<std::uint64_t>{7, 5, std::uint64_t{1} << 32, 3});
  column.truncate(3);
  CHECK_FALSE(column.is_narrow());
  CHECK(column[2] == std::uint64_t{1} << 32);
  column.truncate(2);
  REQUIRE(column.is_narrow());
  CHECK(column.count() == 2);
  CHECK(column.narrow()[0] == 7);
  CHECK(column.narrow()[1] == 5);
  CHECK(column.narrow_bound() == 7);
}

TEST_CASE("the bound of a narrow column is at least its largest value", "[column]") {
  Column<std::uint32_t> column;
  CHECK(column.narrow_bound() == 0);
  for (const unsigned entry_bytes : {2U, 4U, 8U}) {
    std::vector<std::uint8_t> entries(std::size_t{100} * entry_bytes);
    entries[std::size_t{70} * entry_bytes] = static_cast<std::uint8_t>(entry_bytes);
    column.append(entries, entry_bytes);
    CHECK(column.narrow_bound() == entry_bytes);
  }
  column.append(std::vector<std::uint64_t>{1, 20, 3});
  CHECK(column.narrow_bound() == 20);
  column.push_back(0xFFFF'FFFF);
  CHECK(column.narrow_bound() == 0xFFFF'FFFF);
  column.clear();
  column.push_back(3);
  CHECK(column.narrow_bound() == 3);
}

TEST_CASE("a column notes if a forgotten value is asked for", "[mvmheap][column]") {
  Column<std::uint16_t> column;
  for (const std::uint64_t value : {1U, 2U, 3U, 4U}) column.push_back(value);
  column.forget(3);
  REQUIRE(column.forgotten() == 3);
  CHECK(column.count() == 4);
  CHECK(column[3] == 4);
  CHECK(column.narrow_from(3).size() == 1);
  CHECK_FALSE(column.is_missed());
  SECTION("one value") { CHECK(column[2] == 0); }
  SECTION("all values") { CHECK(column.narrow().size() == 1); }
  CHECK(column.is_missed());
  column.clear();
  CHECK(column.is_missed());
  column.restart();
  CHECK_FALSE(column.is_missed());
}
