#include "formats/chrome/plain_event.hpp"

#include "tests/support/catch.hpp"

using heapcheck::chrome::measure_plain;
using heapcheck::chrome::PlainRun;
using heapcheck::core::as_bytes;

TEST_CASE("events without a phase that has payloads are plain", "[chrome]") {
  for (const std::string_view text : {R"({"pid":1,"tid":2,"ts":3,"ph":"X","cat":"a","name":"vMP","args":{}})",
                                      R"({"ph":"p","s":"m","x":"\"w","y":"vv","z":"V"})",
                                      R"({"a":"","b":"0","c":v,"n":"\n\\"})", "", "{", "\"v", "v\""}) {
    CHECK(measure_plain(as_bytes(text)) == text.size() - std::min<std::size_t>(text.size(), 2));
  }
}

TEST_CASE("a phase with payloads is found wherever it stands", "[chrome]") {
  for (const std::string_view phase : {"\"v\"", "\"M\"", "\"P\"", "\\u0"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (std::size_t after = 0; after < 70; after += 3) {
        const std::string tail(after, '0');
        CHECK(measure_plain(as_bytes(std::string(before, '"') + std::string(phase) + tail)) == before);
        std::string text = std::string(before, '0') + std::string(phase) + tail;
        CHECK(measure_plain(as_bytes(text)) == before);
        text[before + 1] = 'X';
        CHECK(measure_plain(as_bytes(text)) == text.size() - 2);
      }
    }
  }
}

TEST_CASE("a plain run goes on where it was looked at before", "[chrome]") {
  const std::string text =
      std::string(100, '0') + "\"v\"" + std::string(50, '0') + "\"M\"" + std::string(30, '0');
  const auto sight = [&text](std::size_t offset, std::size_t length) {
    return as_bytes(std::string_view(text).substr(offset, length));
  };
  PlainRun run;
  CHECK(run.measure(sight(0, 40), 0) == 38);
  CHECK(run.measure(sight(10, 91), 10) == 89);
  CHECK(run.measure(sight(10, 92), 10) == 90);
  CHECK(run.measure(sight(10, 93), 10) == 90);
  CHECK(run.measure(sight(20, 160), 20) == 80);
  CHECK(run.measure(sight(20, 50), 20) == 50);
  CHECK(run.measure(sight(100, 80), 100) == 0);
  CHECK(run.measure(sight(101, 80), 101) == 52);
  CHECK(run.measure(sight(140, 46), 140) == 13);
  CHECK(run.measure(sight(170, 16), 170) == 14);
}
