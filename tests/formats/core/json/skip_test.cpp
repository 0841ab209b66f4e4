// Compares skipping in blocks with reading token by token: both must accept the same documents, and report
// the same error at the same place.
#include "formats/core/json/skip.hpp"

#include "formats/core/json/reader.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

enum class Way { read, skip, skip_rest, skip_elements };

/// Reads a document in the given way. Returns the offset at which it ended, and the error, if any.
std::string find_end(std::string_view text, Way way, std::size_t capacity, std::size_t chunk,
                     const JsonOptions& options = {}) {
  MemorySource source(as_bytes(text), chunk);
  Window window(source, capacity);
  Limits limits;
  limits.max_json_depth = 200;
  JsonReader reader(window, limits, options);
  if (way == Way::skip_rest) {
    for (int i = 0; i < 3; ++i) reader.next();
    while (reader.depth() > 0 && reader.skip_rest() < JsonToken::end) {
    }
  }
  if (way == Way::skip_elements) reader.next();
  while ((way == Way::read ? reader.next() : reader.skip_value()) < JsonToken::end) {
  }
  const std::string end = std::to_string(reader.span().offset);
  return reader.error() ? end + ' ' + reader.error()->message : end;
}

/// Both results for a document if skipping it ends differently from reading it; otherwise empty.
std::string find_difference(std::string_view text) {
  const std::string read = find_end(text, Way::read, Window::default_capacity, SIZE_MAX);
  for (const Way way : {Way::skip, Way::skip_rest, Way::skip_elements}) {
    for (const std::size_t capacity : {std::size_t{64}, std::size_t{130}, Window::default_capacity}) {
      const std::string skipped = find_end(text, way, capacity, capacity == 130 ? 7 : SIZE_MAX);
      if (skipped != read) return read + " but " + skipped + ": " + std::string(text);
    }
  }
  return {};
}

/// Pieces of a document with every kind of token, and with white space wherever it is allowed.
constexpr std::string_view samples[] = {
    R"([{"pid":18199,"tid":-1,"ts":808321997.25e-3,"ph":"X","cat":"é","args":{},"s":[]},[[],{}],0,10,true,)"
    R"("\"\\\/\b\f\n\r\t\u00e9","\\",null,[1,2,3],{"a":{"b":[false]}},1234567890123456789012345678901])",
    " { \"a b\" : [ 1 , -0.5 ,\t\"x,:[]{}\" , { } , [ ] ] ,\r\n \"k\\\\\" : { \"z\" : null ,\n\n"
    "\"0\" : \"\xE2\x82\xAC\xF0\x9F\x98\x80\" } , \"\" : [ true , { \"n\" : 1e5 } ] , \"end\" : 00 } ",
};

/// Calls `use` with `text` at each position that it can have in a block.
template <class Use>
void shift_through_block(std::string_view text, std::size_t step, Use use) {
  for (std::size_t shift = 0; shift < json::block_bytes; shift += step) {
    use("[\"" + std::string(shift, 'x') + "\"," + std::string(text) + ",{\"tail\":[" + std::string(80, '1') +
        "]}]");
  }
}

}  // namespace

TEST_CASE("documents are skipped wherever block boundaries fall in their tokens", "[json]") {
  const std::string sound(samples[0]);
  shift_through_block(sound, 1, [](const std::string& text) {
    REQUIRE(find_end(text, Way::read, 64, 5) == std::to_string(text.size()));
    CHECK(find_difference(text).empty());
  });
  shift_through_block(samples[1], 1, [](const std::string& text) { CHECK(find_difference(text).empty()); });
}

TEST_CASE("skipping reports a changed, inserted or removed byte in the same way as reading", "[json]") {
  constexpr std::string_view bytes{"\"\\{}[]:,0.1-e tu\n\0\x1F\x7F\x80\xC3\xED", 23};
  std::size_t count = 0;
  for (const std::string_view sample : samples) {
    for (std::size_t place = 0; place < sample.size(); ++place) {
      for (const char byte : bytes) {
        std::string changed(sample);
        changed[place] = byte;
        std::string longer(sample);
        longer.insert(place, 1, byte);
        for (const std::string& text : {changed, longer}) {
          const std::string difference = find_difference(text);
          if (!difference.empty()) FAIL_CHECK(difference);
          ++count;
        }
      }
      std::string shorter(sample);
      shorter.erase(place, 1);
      CHECK(find_difference(shorter).empty());
      CHECK(find_difference(sample.substr(0, place)).empty());
    }
  }
  CHECK(count > 10'000);
}

TEST_CASE("a skip that ends inside a block ends there", "[json]") {
  shift_through_block(R"({"a":[1]})", 1, [](const std::string& text) {
    MemorySource source(as_bytes(text));
    Window window(source);
    JsonReader reader(window, Limits{});
    reader.next();
    reader.skip_value();
    CHECK(reader.skip_value() == JsonToken::object_begin);
    CHECK(reader.span().length == 9);
    CHECK(reader.depth() == 1);
    CHECK(reader.next() == JsonToken::object_begin);
    CHECK(reader.next() == JsonToken::key);
    CHECK(reader.text() == "tail");
    CHECK(reader.skip_rest() == JsonToken::object_end);
    CHECK(reader.span() == Span{text.size() - 2, 1});
    CHECK(reader.next() == JsonToken::array_end);
  });
}

TEST_CASE("errors after the skipped value are left to the next call", "[json]") {
  for (const std::string_view tail : {"]x", "}", ",]", "\x01", "\"\\q", "]]]"}) {
    const std::string text = "[[[1],[2]" + std::string("]") + std::string(tail) + std::string(100, ' ');
    MemorySource source(as_bytes(text));
    Window window(source);
    JsonReader reader(window, Limits{});
    reader.next();
    CHECK(reader.skip_value() == JsonToken::array_begin);
    CHECK(reader.span() == Span{1, 9});
    CHECK(!reader.error());
  }
}

TEST_CASE("the nesting limit applies when skipping in blocks", "[json]") {
  for (const std::size_t depth : {199U, 200U, 201U, 260U}) {
    const std::string nested = "[[1]," + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "]";
    CHECK(find_difference(nested).empty());
    CHECK((find_end(nested, Way::skip, 4096, SIZE_MAX) == std::to_string(nested.size())) == (depth <= 200));
  }
}

TEST_CASE("strings that need not be UTF-8 are skipped unchecked", "[json]") {
  const std::string text = "[\"" + std::string(100, '\xFF') + "\",\"" + std::string(100, '\x80') + "\"]";
  for (const std::size_t capacity : {64U, 4096U}) {
    CHECK(find_end(text, Way::skip, capacity, SIZE_MAX, {.strict_utf8 = false}) ==
          std::to_string(text.size()));
    CHECK(find_end(text, Way::skip, capacity, SIZE_MAX).starts_with("2 found byte 0xff"));
  }
}

TEST_CASE("skip_blocks() says where it stopped and why", "[json]") {
  const std::string sound = R"([1,{"a":2},"b")" + std::string(60, ' ') + ",3]";
  json::Nesting nesting;
  nesting.push(false);
  const ByteSpan inside = as_bytes(std::string_view(sound).substr(1));
  const json::Skipped part = json::skip_blocks(inside, json::State::first_element, nesting, {0, 10});
  CHECK(part.end == json::SkipEnd::bytes);
  CHECK(part.byte_count == 9);
  CHECK(part.state == json::State::after_value);
  CHECK(nesting.depth() == 1);
  const std::string wrong = R"({"a":[],"b":{"c":[{"d":1}]]                                        )";
  const json::Skipped stopped =
      json::skip_blocks(as_bytes(wrong + wrong), json::State::first_element, nesting, {0, 10});
  CHECK(stopped.end == json::SkipEnd::unclear);
  CHECK(stopped.byte_count == 0);
  CHECK(nesting.depth() == 1);
  CHECK(nesting.in_array());
}

namespace {

/// Goes through an array and skips its objects where possible. Returns `o` for each object and the number of
/// the first token for each other element, followed by the error, if any.
std::string skip_objects(std::string_view text, std::size_t capacity, std::string_view letters = {}) {
  MemorySource source(as_bytes(text), capacity / 3);
  Window window(source, capacity);
  Limits limits;
  limits.max_json_depth = 5;
  JsonReader reader(window, limits);
  std::string elements;
  reader.next();
  for (;;) {
    while (const std::size_t count = reader.skip_objects_without(letters)) {
      CHECK(text[reader.span().offset] == '{');
      CHECK(text[reader.span().end() - 1] == '}');
      CHECK(reader.depth() == 1);
      elements.append(count, 'o');
    }
    const JsonToken token = reader.next();
    if (token == JsonToken::error) return elements + " " + reader.error()->message;
    if (token == JsonToken::array_end) return elements;
    elements += token == JsonToken::object_begin ? "o" : std::to_string(static_cast<int>(token));
    if (token == JsonToken::array_begin || token == JsonToken::object_begin) reader.skip_rest();
  }
}

}  // namespace

TEST_CASE("only those elements of an array that are objects are skipped", "[json]") {
  const std::string object = R"({"a":[1,{"b":"},{"}],"c":{}})";
  struct Case {
    std::string tail;
    std::string elements;
  };
  const Case cases[] = {
      {"]", ""},
      {",{}]", "o"},
      {" , {} ,\n{}]", "oo"},
      {",5,{}]", "6o"},
      {",[],{}]", "2o"},
      {",[{}],\"{}\",null,{}]", "259o"},
      {",{},]", "o found ']', expected a value"},
      {",{}x", "o found 'x', expected ',' or ']' after a value"},
      {",{}}", "o found '}', expected ',' or ']' after a value"},
      {",{\"a\":tru}]", "o found '}', expected true, false or null"},
      {",{\"a\":[{\"b\":[[1]]}]}]", "o nesting is deeper than the limit of 5 levels"},
      {",{", "o unexpected end of input, expected a key or '}'"},
      {",", " unexpected end of input, expected a value"},
  };
  for (const Case& expected : cases) {
    for (std::size_t count = 1; count < 9; ++count) {
      std::string text = "[" + object;
      for (std::size_t i = 1; i < count; ++i) text += "," + object;
      const std::string elements = std::string(count, 'o') + expected.elements;
      INFO(text << expected.tail);
      for (const std::string_view letters : {"", "a", "xyz"}) {
        CHECK(skip_objects(text + expected.tail, 64, letters) == elements);
        CHECK(skip_objects(text + expected.tail, 200, letters) == elements);
        CHECK(skip_objects(text + expected.tail + std::string(100, ' '), 4096, letters)
                  .starts_with(std::string(count, 'o')));
      }
      // There are enough bytes after the array for a complete block, so the last object is also skipped.
      if (expected.tail.ends_with("]") && expected.elements.find(' ') == std::string::npos) {
        CHECK(skip_objects(text + expected.tail + std::string(100, ' '), 4096) == elements);
      }
    }
  }
}

TEST_CASE("objects are skipped in blocks, and the array continues after them", "[json]") {
  std::string text = "[";
  for (int i = 0; i < 100; ++i) text += R"({"number":)" + std::to_string(i) + "},\n";
  text += R"({"last":1}])";
  MemorySource source(as_bytes(text));
  Window window(source);
  JsonReader reader(window, Limits{});
  CHECK(reader.skip_objects_without("v") == 0);
  reader.next();
  const std::size_t count = reader.skip_objects_without("v");
  CHECK(count > 90);
  CHECK(count < 100);
  CHECK(reader.span().offset == 1);
  CHECK(text.substr(reader.span().end() - 3, 3) == std::to_string(count - 1) + "}");
  CHECK(reader.next() == JsonToken::object_begin);
  CHECK(reader.next() == JsonToken::key);
  CHECK(reader.skip_objects_without("v") == 0);
  CHECK(reader.next() == JsonToken::number);
  CHECK(reader.as_unsigned() == count);
}

TEST_CASE("objects that may contain one of the letters as a string are not skipped", "[json]") {
  const std::string tail = R"("},{"b":2},{"b":3},{"b":4},{"b":5},{"b":6},{"b":7},{"b":8},{"b":9},{"b":10}])";
  struct Case {
    std::string text;
    bool is_passed;
  };
  const Case cases[] = {{"v", false},  {"M", false},    {"\\u0076", false}, {"a\\u0001", false},
                        {"x", true},   {"", true},      {"vM", true},       {"v ", true},
                        {"\\n", true}, {"\\\\u", true}, {"m", true},        {"v\\\"", true}};
  for (const Case& expected : cases) {
    for (std::size_t shift = 0; shift < 2 * json::block_bytes; ++shift) {
      const std::string before = R"([{"a":")" + std::string(shift, 'x') + R"("},)";
      for (const std::string& text : {before + R"({"a":")" + expected.text + tail,
                                      before + R"({")" + expected.text + R"(":")" + tail}) {
        MemorySource source(as_bytes(text));
        Window window(source);
        JsonReader reader(window, Limits{});
        reader.next();
        while (reader.skip_objects_without("vM") != 0) {
        }
        INFO(text);
        CHECK((reader.span().end() > before.size() + 10) == expected.is_passed);
        std::size_t left = 0;
        while (reader.skip_value() == JsonToken::object_begin) ++left;
        CHECK((expected.is_passed || left >= 10));
        CHECK(reader.token() == JsonToken::array_end);
      }
    }
  }
}
