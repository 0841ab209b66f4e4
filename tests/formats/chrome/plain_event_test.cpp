#include "formats/chrome/plain_event.hpp"

#include "tests/support/catch.hpp"

using heapcheck::chrome::is_plain_event;
using heapcheck::core::as_bytes;

TEST_CASE("events without a phase that has payloads are plain", "[chrome]") {
  for (const std::string_view text : {R"({"pid":1,"tid":2,"ts":3,"ph":"X","cat":"a","name":"vMP","args":{}})",
                                      R"({"ph":"p","s":"m","x":"\"w","y":"vv","z":"V"})",
                                      R"({"a":"","b":"0","c":v,"n":"\n\\"})", "", "{", "\"v", "v\""}) {
    CHECK(is_plain_event(as_bytes(text)));
  }
}

TEST_CASE("a phase with payloads is found wherever it stands", "[chrome]") {
  for (const std::string_view phase : {"\"v\"", "\"M\"", "\"P\"", "\\u0"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (std::size_t after = 0; after < 70; after += 3) {
        const std::string tail(after, '0');
        CHECK_FALSE(is_plain_event(as_bytes(std::string(before, '"') + std::string(phase) + tail)));
        std::string text = std::string(before, '0') + std::string(phase) + tail;
        CHECK_FALSE(is_plain_event(as_bytes(text)));
        text[before + 1] = 'X';
        CHECK(is_plain_event(as_bytes(text)));
      }
    }
  }
}
