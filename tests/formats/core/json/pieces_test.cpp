#include "formats/core/json/leaf.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck::core;
using namespace heapcheck::core::json;

namespace {

/// The numbers from 0 up, with a comma after each.
std::string make_numbers(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i) + ",";
  return text;
}

bool decodes(const std::string& text, std::vector<std::uint64_t>& values) {
  return decode_piece(as_bytes(text), values);
}

}  // namespace

TEST_CASE("bytes are cut after every so many commas", "[json]") {
  const std::string text = make_numbers(1050) + "17";
  const auto pieces = cut_at_commas(as_bytes(text), 100);
  REQUIRE(pieces.size() == 10);
  std::string joined;
  for (const ByteSpan piece : pieces) {
    CHECK(std::ranges::count(piece, ',') == 100);
    joined += as_text(piece);
  }
  CHECK(joined == make_numbers(1000));
  CHECK(cut_at_commas(as_bytes(text), 1051).empty());
  CHECK(cut_at_commas(as_bytes(std::string(300, ',')), 100).size() == 3);
}

TEST_CASE("a piece of plain integers is decoded as a whole", "[json]") {
  std::vector<std::uint64_t> values(1000);
  std::vector<std::uint64_t> expected(1000);
  std::iota(expected.begin(), expected.end(), std::uint64_t{0});
  REQUIRE(decodes(make_numbers(1000), values));
  CHECK(values == expected);

  std::vector<std::uint64_t> few(3);
  REQUIRE(decodes("1,18446744073709551615\n,0,", few));
  CHECK(few == std::vector<std::uint64_t>{1, UINT64_MAX, 0});
}

TEST_CASE("anything else in a piece, or another number of elements, is refused", "[json]") {
  std::vector<std::uint64_t> values(3);
  for (const char* const text : {"1,-2,3,", "1,2.0,3,", "1, 2,3,", "1,02,3,", "1,2,3", "1,2,", "1,2,3,4,",
                                 "1,,3,", "1,18446744073709551616,3,", "1,2]3,", "1,\"2\",3,", "", "1,2,3\n"})
    CHECK_FALSE(decodes(text, values));
  std::vector<std::uint64_t> many(1000);
  std::string text = make_numbers(1000);
  text[text.find(",500,")] = ';';
  CHECK_FALSE(decodes(text, many));
}
