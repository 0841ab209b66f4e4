#include "formats/core/output/json_writer.hpp"

#include <limits>

#include "tests/formats/core/json/transcript.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

std::string write_sample(JsonLayout layout) {
  std::string out;
  JsonWriter writer(out, layout);
  writer.begin_object();
  writer.key("numbers");
  writer.begin_array();
  writer.number(std::uint64_t{UINT64_MAX});
  writer.number(std::int64_t{-5});
  writer.number(0.5);
  writer.end_array();
  writer.key("empty");
  writer.begin_object();
  writer.end_object();
  writer.key("list");
  writer.begin_array();
  writer.end_array();
  writer.key("flags");
  writer.begin_array();
  writer.boolean(true);
  writer.null();
  writer.end_array();
  writer.end_object();
  return out;
}

std::string write_text(std::string_view text) {
  std::string out;
  JsonWriter(out).string(text);
  return out;
}

}  // namespace

TEST_CASE("a compact document has no white space", "[json]") {
  CHECK(write_sample(JsonLayout::compact) ==
        R"({"numbers":[18446744073709551615,-5,0.5],"empty":{},"list":[],"flags":[true,null]})");
}

TEST_CASE("a pretty document has one item per line", "[json]") {
  CHECK(write_sample(JsonLayout::pretty) == R"({
  "numbers": [
    18446744073709551615,
    -5,
    0.5
  ],
  "empty": {},
  "list": [],
  "flags": [
    true,
    null
  ]
})");
}

TEST_CASE("strings are escaped where JSON requires it", "[json]") {
  CHECK(write_text("a\"b\\c/\b\f\n\r\t") == R"("a\"b\\c/\b\f\n\r\t")");
  CHECK(write_text(std::string_view("\0\x1f\x7f", 3)) == "\"\\u0000\\u001f\x7f\"");
  CHECK(write_text("\xC3\xA9\xE2\x82\xAC") == "\"\xC3\xA9\xE2\x82\xAC\"");
}

TEST_CASE("a report escapes all characters that could have an effect where it is shown", "[json]") {
  const auto write_report = [](std::string_view text) {
    std::string out;
    JsonWriter(out, JsonLayout::pretty).string(text);
    return out;
  };
  CHECK(write_report("a\"b\\c/\n\x1f\x7f") == R"("a\"b\\c/\n\u001f\u007f")");
  CHECK(write_report("\u009B\u200B\u202E\u2028\U000E0041") == R"("\u009b\u200b\u202e\u2028\udb40\udc41")");
  CHECK(write_report("##[error]#") == R"("\u0023#[error]#")");
  CHECK(write_report("\u00E9\U0001F600 \xE2\x82") == "\"\u00E9\U0001F600 \uFFFD\uFFFD\"");
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD", "[json]") {
  CHECK(write_text("a\xFF"
                   "b") == "\"a\uFFFDb\"");
  CHECK(write_text("a very long run of plain bytes \xE2\x82\n") ==
        "\"a very long run of plain bytes \uFFFD\uFFFD\\n\"");
}

TEST_CASE("doubles are read back unchanged, and infinities and NaN become null", "[json]") {
  for (const double value : {0.1, -0.0, 1e300, 5e-324, 1.7976931348623157e308, 1e20, 123456789.0}) {
    std::string out;
    JsonWriter(out).number(value);
    MemorySource source(as_bytes(out));
    Window window(source);
    JsonReader reader(window, Limits{});
    INFO(out);
    CHECK(reader.next() == JsonToken::number);
    CHECK(reader.as_double() == value);
  }
  std::string out;
  JsonWriter(out).number(std::numeric_limits<double>::infinity());
  CHECK(out == "null");
}
