// Compares the reader with simdjson: both must accept the same documents.
#if __has_include(<simdjson.h>)

#include <simdjson.h>

#include "formats/core/json/reader.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

bool accepts(std::string_view text, std::size_t capacity, bool skip) {
  MemorySource source(as_bytes(text), 5);
  Window window(source, capacity);
  JsonReader reader(window, Limits{});
  if (skip) reader.skip_value();
  while (reader.next() < JsonToken::end) {
  }
  return !reader.error() && !reader.skip_whitespace();
}

bool simdjson_accepts(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

}  // namespace

TEST_CASE("the reader accepts the same documents as simdjson", "[json]") {
  const std::vector<std::string> documents = {"{}",
                                              "[]",
                                              "[[]]",
                                              "[{}]",
                                              "{\"a\":[]}",
                                              "1",
                                              "-0",
                                              "0.5",
                                              "1e5",
                                              "1E+5",
                                              "\"\"",
                                              "true",
                                              "false",
                                              "null",
                                              " [ 1 , 2 ] ",
                                              "\t\r\n[]\n",
                                              "[1,2,]",
                                              "[,1]",
                                              "[1 2]",
                                              "{\"a\"}",
                                              "{\"a\":}",
                                              "{\"a\":1,}",
                                              "{,}",
                                              "{\"a\":1 \"b\":2}",
                                              "[1",
                                              "{",
                                              "}",
                                              "]",
                                              "[}",
                                              "{]",
                                              "[1]]",
                                              "[]x",
                                              "01",
                                              "[01]",
                                              "[1.]",
                                              "[.5]",
                                              "[+1]",
                                              "[1e]",
                                              "[1e+]",
                                              "[--1]",
                                              "[-]",
                                              "[0x1]",
                                              "[1.5.5]",
                                              "[1e5e5]",
                                              "[NaN]",
                                              "[Infinity]",
                                              "[tru]",
                                              "[True]",
                                              "[truefalse]",
                                              "[nul]",
                                              "\"a",
                                              "\"\\\"",
                                              "\"\\",
                                              "\"\\x\"",
                                              "\"\\u12\"",
                                              "\"\\u00e9\"",
                                              "\"\\ud83d\\ude00\"",
                                              "\"a\nb\"",
                                              "\"a\tb\"",
                                              "\"\x7f\"",
                                              "\"\xff\"",
                                              "\"\xc3\xa9\"",
                                              "\"\xe2\x82\"",
                                              "\"\xed\xa0\x80\"",
                                              "'a'",
                                              "[1]//",
                                              "/**/[]",
                                              "\xEF\xBB\xBF[]x",
                                              "[\"a\",\"b\" \"c\"]",
                                              "{\"a\":{\"b\":[1,{\"c\":null}]}}",
                                              "{\"a\":1,\"a\":2}",
                                              "{1:2}",
                                              "{\"a\":1:2}",
                                              "[1,\n2\n,3]",
                                              "[123456789012,0,7 ,8]",
                                              "[1,2\"x\"]",
                                              "",
                                              "   "};
  for (const std::string& document : documents) {
    INFO(document);
    const bool expected = simdjson_accepts(document);
    CHECK(accepts(document, 64, false) == expected);
    CHECK(accepts(document, 64, true) == expected);
    CHECK(accepts(document, 4096, false) == expected);
  }
}

#endif
