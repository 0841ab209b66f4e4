#include "formats/core/window.hpp"

#include <algorithm>
#include <numeric>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

std::vector<std::uint8_t> make_ramp(std::size_t byte_count) {
  std::vector<std::uint8_t> bytes(byte_count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

}  // namespace

TEST_CASE("a window shows the same number of bytes regardless of how the input arrives", "[window]") {
  const std::vector<std::uint8_t> bytes(1000, 7);
  for (const std::size_t chunk : {1U, 3U, 100U, 1000U}) {
    MemorySource source(bytes, chunk);
    Window window(source, 64);
    CHECK(window.look(10).size() == 10);
    CHECK(window.peek(64).size() >= 64);
    CHECK(window.look(10).size() == 10);
    window.skip(995);
    CHECK(window.look(10).size() == 5);
  }
}

TEST_CASE("a window does not look further than its capacity", "[window]") {
  const std::vector<std::uint8_t> bytes(1000, 7);
  for (const std::size_t chunk : {1U, 100U, 1000U}) {
    MemorySource source(bytes, chunk);
    Window window(source, 64);
    CHECK(window.look(100).size() == 64);
  }
}

TEST_CASE("a window shows the same bytes regardless of the source's chunks", "[window]") {
  const auto bytes = make_ramp(1000);
  const std::size_t chunk = GENERATE(1U, 3U, 64U, 5000U);
  MemorySource source(bytes, chunk);
  Window window(source, 64);
  std::vector<std::uint8_t> seen;
  while (!window.at_end()) {
    const ByteSpan here = window.peek(16);
    REQUIRE(here[0] == bytes[window.offset()]);
    const std::size_t step = std::min<std::size_t>(here.size(), 7);
    seen.insert(seen.end(), here.begin(), here.begin() + static_cast<std::ptrdiff_t>(step));
    window.consume(step);
  }
  CHECK(seen == bytes);
  CHECK(window.offset() == bytes.size());
}

TEST_CASE("skipping stops at the end and returns the number of bytes skipped", "[window]") {
  const auto bytes = make_ramp(100);
  MemorySource source(bytes);
  Window window(source, 16);
  CHECK(window.skip(90) == 90);
  CHECK(window.skip(90) == 10);
  CHECK(window.at_end());
  CHECK(!window.error());
}

TEST_CASE("offsets are relative to the start of the input, not of the source", "[window]") {
  const auto bytes = make_ramp(10);
  MemorySource memory(bytes);
  RangeSource source(memory, 4);
  Window window(source, 16, 4);
  CHECK(window.offset() == 4);
  CHECK(window.peek(16).size() == 6);
  CHECK(window.peek(1)[0] == 4);
}

TEST_CASE("a search that finds nothing is given up, and one that finds something starts again", "[window]") {
  class Endless final : public ByteSource {
   public:
    Result<std::size_t> read(MutableByteSpan into) override { return into.size(); }
  };
  Endless source;
  Window window(source);
  const auto pass = [&window](std::uint64_t byte_count) {
    for (std::uint64_t rest = byte_count; rest != 0 && !window.at_end();) {
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(rest, window.peek(1).size()));
      window.skip_in_search(step);
      rest -= step;
    }
  };
  pass(Window::max_search - 1);
  window.consume(1);  // a line end
  CHECK(!window.gave_up());
  window.consume(window.peek(3).size());
  pass(Window::max_search - 1);
  CHECK(!window.gave_up());
  CHECK(window.skip_to_end() == 1);
  CHECK(window.gave_up());
  CHECK(window.at_end());
  REQUIRE(window.error());
  CHECK(window.error()->kind == ErrorKind::limit);
}
