// Property: reading a JSON document has the same result through windows and chunks of any size, whether token
// by token, by skipping or in bulk, and every place that the reader reports is inside the input.
#include "formats/core/json/reader.hpp"

#include "fuzz/support/inputs.hpp"
#include "fuzz/support/json_end.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using namespace heapcheck::fuzz;

namespace {

struct Reading {
  Reading(ByteSpan bytes, std::size_t capacity, std::size_t chunk)
      : source(bytes, chunk), window(source, capacity), reader(window, limits, {.max_text = 100}) {}

  Limits limits;
  MemorySource source;
  Window window;
  JsonReader reader;
};

struct Tokens {
  std::string transcript;
  JsonEnd end;
};

Tokens read_tokens(ByteSpan bytes, std::size_t capacity, std::size_t chunk) {
  Reading reading(bytes, capacity, chunk);
  JsonReader& reader = reading.reader;
  std::string transcript;
  for (JsonToken token = reader.next(); token < JsonToken::end; token = reader.next()) {
    const Span span = reader.span();
    require(span.length > 0 && span.end() <= bytes.size(), "a token is inside the input");
    transcript += std::to_string(static_cast<int>(token)) + ' ' + std::to_string(span.offset) + ' ' +
                  std::to_string(span.length) + ' ' + std::string(reader.text()) +
                  (reader.truncated_text() ? "+" : "") + (reader.lone_surrogate() ? "?" : "");
    if (const auto value = reader.as_unsigned()) transcript += '=' + std::to_string(*value);
  }
  return {std::move(transcript), end_of(reader)};
}

JsonEnd read_skipping(ByteSpan bytes, std::size_t capacity, bool in_bulk) {
  Reading reading(bytes, capacity, capacity / 3);
  JsonReader& reader = reading.reader;
  std::vector<std::uint64_t> values;
  while ((in_bulk ? reader.next() : reader.skip_value()) < JsonToken::end) {
    if (in_bulk) reader.read_unsigned_array(values, 1 + values.size());
    require(values.size() <= bytes.size(), "there are no more integers than bytes");
  }
  return end_of(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan bytes(data, size);
  const Tokens whole = read_tokens(bytes, Window::default_capacity, SIZE_MAX);
  require(whole.end.offset <= size, "the end is inside the input");
  for (const std::size_t capacity : {1000U, 100U, 64U}) {
    if (capacity < 1000 && size > long_input) break;
    const Tokens parts = read_tokens(bytes, capacity, 1 + size % 70);
    require(parts.transcript == whole.transcript, "windows do not change the tokens");
    require_same_end(parts.end, whole.end);
    require_same_end(read_skipping(bytes, capacity, false), whole.end);
    require_same_end(read_skipping(bytes, capacity, true), whole.end);
  }
  return 0;
}
