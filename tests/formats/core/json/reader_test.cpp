#include "formats/core/json/reader.hpp"

#include "tests/formats/core/json/transcript.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using heapcheck::tests::make_transcript;

namespace {

/// A reader and all its inputs.
struct Reading {
  explicit Reading(std::string_view text, std::size_t capacity = Window::default_capacity,
                   std::size_t chunk = SIZE_MAX, const JsonOptions& options = {})
      : source(as_bytes(text), chunk), window(source, capacity), reader(window, Limits{}, options) {}

  MemorySource source;
  Window window;
  JsonReader reader;
};

JsonError find_error(std::string_view text, std::size_t capacity = 64, std::size_t chunk = 3) {
  Reading reading(text, capacity, chunk);
  while (reading.reader.next() < JsonToken::end) {
  }
  return reading.reader.error().value_or(JsonError{UINT64_MAX, JsonErrorKind::syntax, "none"});
}

std::string nest(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("a document is read token by token, with the place of each token", "[json]") {
  Reading reading(R"( {"a" : [1, -2.5e+3, "x"], "b":{}} tail)");
  CHECK(make_transcript(reading.reader) ==
        "{@1+1 key@2+3:a [@8+1 number@9+1:1 number@12+7:-2.5e+3 string@21+3:x ]@24+1 key@27+3:b {@31+1 "
        "}@32+1 }@33+1 end@34+0 ");
  CHECK(reading.window.offset() == 34);
  CHECK(reading.reader.next() == JsonToken::end);
  CHECK(reading.reader.skip_whitespace());
  CHECK(reading.reader.span() == Span{34, 0});
}

TEST_CASE("small windows and chunks do not change the tokens", "[json]") {
  const std::string text =
      R"({"numbers":[0,12,345,6789012,34567890123,18446744073709551615,18446744073709551616,-1,1.5,1e9],)"
      R"("long":"0123456789012345678901234567890123456789012345678901234567890123456789é€😀 end",)"
      R"("escapes":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00\ud83dx\udc00","literals":[true,false,null],)"
      R"("digits":123456789012345678901234567890123456789012345678901234567890123456789012345.5e-10})";
  Reading whole(text);
  const std::string expected = make_transcript(whole.reader);
  REQUIRE(expected.ends_with("end@" + std::to_string(text.size()) + "+0 "));
  for (const std::size_t capacity : {64U, 65U, 100U, 4096U}) {
    for (std::size_t chunk = 1; chunk <= 7; ++chunk) {
      Reading reading(text, capacity, chunk);
      CHECK(make_transcript(reading.reader) == expected);
    }
  }
}

TEST_CASE("an error has a place, a kind, and a message that says what was expected", "[json]") {
  struct Case {
    std::string_view text;
    std::uint64_t offset;
    JsonErrorKind kind;
    std::string_view message;
  };
  constexpr std::string_view value = "expected a value";
  const Case cases[] = {
      {"x", 0, JsonErrorKind::syntax, "found 'x', expected a value"},
      {"[1,]", 3, JsonErrorKind::syntax, "found ']', expected a value"},
      {"[1 2]", 3, JsonErrorKind::syntax, "found '2', expected ',' or ']' after a value"},
      {R"({"a":1 "b"})", 7, JsonErrorKind::syntax, "found '\"', expected ',' or '}' after a value"},
      {R"({"a" 1})", 5, JsonErrorKind::syntax, "found '1', expected ':' after the key"},
      {R"({"a":1,})", 7, JsonErrorKind::syntax, "found '}', expected a key in double quotes"},
      {"{1:2}", 1, JsonErrorKind::syntax, "found '1', expected a key"},
      {"[1}", 2, JsonErrorKind::syntax, "found '}', expected ',' or ']'"},
      {"trux", 3, JsonErrorKind::syntax, "found 'x', expected true, false or null"},
      {"\xEF\xBB\xBF[]", 0, JsonErrorKind::syntax, "found byte 0xef, expected a value"},
      {"[01]", 2, JsonErrorKind::number, "found '1', expected no digit after a leading 0"},
      {"[-x]", 2, JsonErrorKind::number, "found 'x', expected a digit"},
      {"[1.]", 3, JsonErrorKind::number, "found ']', expected a digit"},
      {"[1.5e+]", 6, JsonErrorKind::number, "found ']', expected a digit"},
      {R"("a\q")", 3, JsonErrorKind::escape, "found 'q', expected one of"},
      {R"("\u12g4")", 5, JsonErrorKind::escape, "found 'g', expected four hexadecimal digits"},
      {R"("\ud83d\u12")", 11, JsonErrorKind::escape,
       "found '\"', expected four hexadecimal digits after \\u"},
      {"\"ab\xED\xA0\x80\"", 3, JsonErrorKind::utf8, "found byte 0xed, expected valid UTF-8 in a string"},
      {"\"ab\xE2\x82\"", 3, JsonErrorKind::utf8, "found byte 0xe2"},
      {"\"a\nb\"", 2, JsonErrorKind::control_character,
       "found byte 0x0a, expected control characters in a string to be escaped"},
      {"", 0, JsonErrorKind::truncated, "unexpected end of input, expected a value"},
      {"[", 1, JsonErrorKind::truncated, "unexpected end of input, expected a value or ']'"},
      {"{", 1, JsonErrorKind::truncated, "unexpected end of input, expected a key or '}'"},
      {"[1", 2, JsonErrorKind::truncated, "unexpected end of input, expected ',' or ']'"},
      {"-", 1, JsonErrorKind::truncated, "unexpected end of input, expected a digit"},
      {"1e", 2, JsonErrorKind::truncated, "unexpected end of input, expected a digit"},
      {"tru", 3, JsonErrorKind::truncated, "unexpected end of input, expected true"},
      {"\"ab", 3, JsonErrorKind::truncated, "unexpected end of input, expected '\"' at the end"},
      {"\"ab\xE2\x82", 5, JsonErrorKind::truncated, "unexpected end of input, expected '\"'"},
      {R"("\u00)", 5, JsonErrorKind::truncated, "unexpected end of input, expected four"},
  };
  for (const Case& expected : cases) {
    for (const std::size_t chunk : {1U, 3U, 100U}) {
      const JsonError error = find_error(expected.text, 64, chunk);
      INFO(expected.text << " in chunks of " << chunk << ": " << error.message);
      CHECK(error.offset == expected.offset);
      CHECK(error.kind == expected.kind);
      CHECK(error.message.starts_with(expected.message));
    }
  }
  CHECK(find_error("x").message == "found 'x', " + std::string(value));
}

TEST_CASE("after an error, every call returns an error", "[json]") {
  Reading reading("[x, 1]");
  CHECK(reading.reader.next() == JsonToken::array_begin);
  CHECK(reading.reader.next() == JsonToken::error);
  CHECK(reading.reader.next() == JsonToken::error);
  CHECK(reading.reader.skip_value() == JsonToken::error);
  CHECK(reading.reader.skip_rest() == JsonToken::error);
  CHECK(reading.reader.error()->offset == 1);
}

TEST_CASE("deep nesting is read and skipped without recursion", "[json]") {
  const std::string text = nest(200'000);
  Reading read(text);
  std::size_t deepest = 0;
  while (read.reader.next() < JsonToken::end) deepest = std::max(deepest, read.reader.depth());
  CHECK(deepest == 200'000);
  CHECK(!read.reader.error());
  Reading skipped(text, 64, 7);
  CHECK(skipped.reader.skip_value() == JsonToken::array_begin);
  CHECK(skipped.reader.span() == Span{0, text.size()});
}

TEST_CASE("nesting beyond the limit is an error at the bracket that exceeds it", "[json]") {
  const std::string text = nest(11);
  MemorySource source(as_bytes(text));
  Window window(source);
  Limits limits;
  limits.max_json_depth = 10;
  JsonReader reader(window, limits);
  CHECK(reader.skip_value() == JsonToken::error);
  CHECK(reader.error()->kind == JsonErrorKind::depth_limit);
  CHECK(reader.error()->offset == 10);
}

TEST_CASE("numbers are converted if they fit the type", "[json]") {
  Reading reading(
      "[18446744073709551615,18446744073709551616,-9223372036854775808,1.5,0.1e400000000000,-0,1e-999]");
  JsonReader& reader = reading.reader;
  reader.next();
  CHECK(!reader.as_double());
  reader.next();
  CHECK(reader.as_unsigned() == UINT64_MAX);
  CHECK(!reader.as_signed());
  reader.next();
  CHECK((reader.is_integer() && !reader.as_unsigned()));
  CHECK(reader.as_double() == 18446744073709551616.0);
  reader.next();
  CHECK(reader.as_signed() == INT64_MIN);
  reader.next();
  CHECK((!reader.is_integer() && !reader.as_signed()));
  CHECK(reader.as_double() == 1.5);
  reader.next();
  CHECK(reader.text() == "0.1e400000000000");
  CHECK(!reader.as_double());
  reader.next();
  CHECK(reader.as_signed() == 0);
  CHECK(!reader.as_unsigned());
  reader.next();
  CHECK(!reader.as_double());
}

TEST_CASE("a number of a million digits has a place but no value", "[json]") {
  const std::string text = "[" + std::string(1'000'000, '7') + ".5,1]";
  for (const std::size_t capacity : {std::size_t{64}, Window::default_capacity}) {
    Reading reading(text, capacity, 50);
    reading.reader.next();
    CHECK(reading.reader.next() == JsonToken::number);
    CHECK(reading.reader.span() == Span{1, 1'000'002});
    CHECK(reading.reader.text().size() == JsonReader::max_number_text);
    CHECK(reading.reader.truncated_text());
    CHECK(!reading.reader.is_integer());
    CHECK(!reading.reader.as_double());
    CHECK(reading.reader.next() == JsonToken::number);
    CHECK(reading.reader.as_unsigned() == 1U);
  }
}

TEST_CASE("a long string is truncated between characters and checked to its end", "[json]") {
  const std::string text = "[\"abc\xE2\x82\xAC" + std::string(300, 'x') + "\",2]";
  for (const std::size_t capacity : {64U, 4096U}) {
    Reading reading(text, capacity, 5, {.max_text = 5});
    reading.reader.next();
    CHECK(reading.reader.next() == JsonToken::string);
    CHECK(reading.reader.text() == "abc");
    CHECK(reading.reader.truncated_text());
    CHECK(reading.reader.next() == JsonToken::number);
    Reading strict(text, capacity, 5, {.max_text = 5, .long_text_is_error = true});
    strict.reader.next();
    CHECK(strict.reader.next() == JsonToken::error);
    CHECK(strict.reader.error()->kind == JsonErrorKind::text_limit);
    CHECK(strict.reader.error()->offset == 1);
  }
}

TEST_CASE("surrogate pairs are joined, and a lone surrogate becomes U+FFFD and is flagged", "[json]") {
  Reading reading(R"(["\ud83d\ude00","\ude00","\ud83d\ud83d\ude00","\ud83d\n"])", 64, 1);
  reading.reader.next();
  reading.reader.next();
  CHECK(reading.reader.text() == "\U0001F600");
  CHECK(!reading.reader.lone_surrogate());
  reading.reader.next();
  CHECK(reading.reader.text() == "\uFFFD");
  CHECK(reading.reader.lone_surrogate());
  reading.reader.next();
  CHECK(reading.reader.text() == "\uFFFD\U0001F600");
  reading.reader.next();
  CHECK(reading.reader.text() == "\uFFFD\n");
}

TEST_CASE("bytes that are not UTF-8 are returned unchanged on request", "[json]") {
  Reading reading("\"a\xFF\xE2\"", 64, 1, {.strict_utf8 = false});
  CHECK(reading.reader.next() == JsonToken::string);
  CHECK(reading.reader.text() == "a\xFF\xE2");
}

TEST_CASE("skip_value() skips one value of any kind and still checks it", "[json]") {
  Reading reading(R"({"a":{"x":[1,[2,"s"],{}]},"b":"text","c":[[],1]})", 64, 3);
  JsonReader& reader = reading.reader;
  reader.next();
  CHECK(reader.skip_value() == JsonToken::key);
  CHECK(reader.text() == "a");
  CHECK(reader.skip_value() == JsonToken::object_begin);
  CHECK(reader.span() == Span{5, 20});
  CHECK(reader.depth() == 1);
  CHECK(reader.next() == JsonToken::key);
  CHECK(reader.skip_value() == JsonToken::string);
  CHECK(reader.text().empty());
  CHECK(reader.next() == JsonToken::key);
  CHECK(reader.next() == JsonToken::array_begin);
  CHECK(reader.skip_value() == JsonToken::array_begin);
  CHECK(reader.skip_value() == JsonToken::number);
  CHECK(reader.skip_value() == JsonToken::array_end);
  CHECK(reader.skip_value() == JsonToken::object_end);
  CHECK(reader.skip_value() == JsonToken::end);
  Reading wrong("[[1,2,{\"a\":[1,}]]");
  wrong.reader.next();
  CHECK(wrong.reader.skip_value() == JsonToken::error);
  CHECK(wrong.reader.error()->offset == 14);
}

TEST_CASE("skip_rest() skips to the end of the array or object", "[json]") {
  Reading reading(R"([{"a":[1,2,3],"b":{}},7])", 64, 2);
  JsonReader& reader = reading.reader;
  reader.next();
  reader.next();
  reader.next();
  CHECK(reader.skip_rest() == JsonToken::object_end);
  CHECK(reader.span() == Span{20, 1});
  CHECK(reader.next() == JsonToken::number);
  CHECK(reader.skip_rest() == JsonToken::array_end);
  CHECK(reader.next() == JsonToken::end);
}

TEST_CASE("integers are read in bulk regardless of the white space between them", "[json]") {
  std::string text = "[";
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    expected.push_back(i % 11 == 0 ? i * 1'000'000'000'000'000 : i * i % 5000);
    text += (i == 0        ? ""
             : i % 7 == 0  ? "\n,"
             : i % 13 == 0 ? " ,\r\n"
                           : ",") +
            std::to_string(expected.back());
  }
  text += " ]";
  for (const std::size_t capacity : {64U, 100U, 5000U, 100'000U}) {
    Reading reading(text, capacity, capacity / 10);
    std::vector<std::uint64_t> values;
    reading.reader.next();
    CHECK(reading.reader.read_unsigned_array(values, 5) == 5);
    CHECK(reading.reader.read_unsigned_array(values, 500) == 500);
    CHECK(reading.reader.next() == JsonToken::number);
    CHECK(reading.reader.as_unsigned() == expected[505]);
    values.push_back(expected[505]);
    CHECK(reading.reader.read_unsigned_array(values, SIZE_MAX) == 3000 - 506);
    CHECK(values == expected);
    CHECK(reading.reader.next() == JsonToken::array_end);
    CHECK(reading.reader.next() == JsonToken::end);
  }
}

TEST_CASE("bulk reading stops at an element that is not a plain unsigned integer", "[json]") {
  const std::string rest = GENERATE("-1", "1.5", "1e3", "\"x\"", "[1]", "{}", "null", "18446744073709551616",
                                    "123456789012345678901234567890123456789012345678");
  const std::string text = "[1,22,18446744073709551615," + rest + ",4]";
  Reading reading(text, 64, 3);
  std::vector<std::uint64_t> values;
  reading.reader.next();
  CHECK(reading.reader.read_unsigned_array(values, SIZE_MAX) == 3);
  CHECK(values == std::vector<std::uint64_t>{1, 22, UINT64_MAX});
  CHECK(reading.reader.span() == Span{1, 26});
  CHECK(reading.reader.skip_value() < JsonToken::end);
  CHECK(reading.reader.span() == Span{27, rest.size()});
  CHECK(reading.reader.read_unsigned_array(values, SIZE_MAX) == 1);
  CHECK(reading.reader.next() == JsonToken::array_end);
}

TEST_CASE("errors after the integers read in bulk are left to the next token", "[json]") {
  struct Case {
    std::string_view text;
    std::size_t count;
    std::uint64_t offset;
  };
  for (const Case& expected :
       {Case{"[1,]", 1, 3}, Case{"[1,01]", 1, 4}, Case{"[1,2x]", 1, 4}, Case{"[1 2]", 1, 3},
        Case{"[1,,2]", 1, 3}, Case{"[1,2", 1, 4}, Case{"[", 0, 1}}) {
    INFO(expected.text);
    Reading reading(expected.text, 64, 1);
    std::vector<std::uint64_t> values;
    reading.reader.next();
    CHECK(reading.reader.read_unsigned_array(values, SIZE_MAX) == expected.count);
    while (reading.reader.next() < JsonToken::end) {
    }
    REQUIRE(reading.reader.error());
    CHECK(reading.reader.error()->offset == expected.offset);
  }
}

TEST_CASE("bulk reading does nothing outside arrays", "[json]") {
  Reading reading(R"({"a":1})");
  std::vector<std::uint64_t> values;
  CHECK(reading.reader.read_unsigned_array(values, 10) == 0);
  reading.reader.next();
  CHECK(reading.reader.read_unsigned_array(values, 10) == 0);
  reading.reader.next();
  CHECK(reading.reader.read_unsigned_array(values, 10) == 0);
  CHECK(reading.reader.next() == JsonToken::number);
}

TEST_CASE("another reader can continue where the window was released", "[json]") {
  Reading reading("[1,@@@,2]");
  reading.reader.next();
  reading.reader.next();
  reading.reader.release();
  CHECK(reading.window.offset() == 2);
  reading.window.skip(4);
  CHECK(reading.reader.next() == JsonToken::number);
  CHECK(reading.reader.as_unsigned() == 2U);
}
