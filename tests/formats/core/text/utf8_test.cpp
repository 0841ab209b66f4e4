#include "formats/core/text/utf8.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

std::optional<std::size_t> find(std::string_view text) { return find_invalid_utf8(as_bytes(text)); }

}  // namespace

TEST_CASE("well-formed UTF-8 of every length is accepted", "[utf8]") {
  CHECK(!find(""));
  CHECK(!find("plain text that is longer than eight bytes"));
  CHECK(!find("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF"));
  CHECK(!find("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));
}

TEST_CASE("the offset of ill-formed UTF-8 is the start of its sequence", "[utf8]") {
  CHECK(find("\x80") == 0U);
  CHECK(find("0123456789\xFF") == 10U);
  CHECK(find("ab\xC0\xAF") == 2U);            // overlong
  CHECK(find("ab\xE0\x9F\xBF") == 2U);        // overlong
  CHECK(find("ab\xF0\x8F\xBF\xBF") == 2U);    // overlong
  CHECK(find("\xC3\xA9\xED\xA0\x80") == 2U);  // surrogate
  CHECK(find("\xF4\x90\x80\x80") == 0U);      // above U+10FFFF
  CHECK(find("abc\xE2\x82") == 3U);           // cut off
  CHECK(find("abc\xE2\x82zzzzzzzzzzzz") == 3U);
  CHECK(find(std::string_view("abc\u20AC").substr(0, 5)) == 3U);  // the rest is not part of the text
}

TEST_CASE("an incomplete sequence at the end is found", "[utf8]") {
  CHECK(find_cut_utf8(as_bytes("ab")) == 0);
  CHECK(find_cut_utf8(as_bytes("ab\xE2")) == 1);
  CHECK(find_cut_utf8(as_bytes("ab\xE2\x82")) == 2);
  CHECK(find_cut_utf8(as_bytes("ab\xE2\x82\xAC")) == 0);
  CHECK(find_cut_utf8(as_bytes("ab\xF0\x9F\x98")) == 3);
  CHECK(find_cut_utf8(as_bytes("ab\xE0\x80")) == 0);
  CHECK(find_cut_utf8(as_bytes("\x80\x80\x80\x80")) == 0);
}

TEST_CASE("every code point survives encoding and decoding", "[utf8]") {
  bool all_equal = true;
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    std::string text;
    encode_utf8(code_point, text);
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    const auto decoded = decode_utf8(as_bytes(text));
    all_equal = all_equal && decoded && decoded->byte_count == text.size() &&
                decoded->code_point == (is_surrogate ? replacement_character : code_point);
  }
  CHECK(all_equal);
}

TEST_CASE("ill-formed bytes decode to nothing", "[utf8]") {
  CHECK(!decode_utf8(as_bytes("")));
  CHECK(!decode_utf8(as_bytes("\xE2\x82")));
  CHECK(!decode_utf8(as_bytes("\xED\xA0\x80")));
}
