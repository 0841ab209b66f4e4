#include "formats/core/threads/ahead_source.hpp"

#include <algorithm>
#include <numeric>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

/// Some bytes, and then an error.
class FailingSource final : public ByteSource {
 public:
  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (++reads_ > 3) return std::unexpected(Error{ErrorKind::damaged, "is damaged"});
    std::ranges::fill(buffer, std::uint8_t{7});
    return buffer.size();
  }
  [[nodiscard]] TransportState transport() const override {
    return {.is_corrupt = true, .trailing_bytes = {}};
  }

 private:
  int reads_ = 0;
};

std::vector<std::uint8_t> make_bytes(std::size_t byte_count) {
  std::vector<std::uint8_t> bytes(byte_count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

}  // namespace

TEST_CASE("bytes that are read ahead come in order and completely", "[ahead-source]") {
  for (const std::size_t byte_count : {0U, 1U, 300'000U, 5'000'000U}) {
    const std::vector<std::uint8_t> bytes = make_bytes(byte_count);
    AheadSource source(std::make_unique<MemorySource>(bytes, 100'001));
    std::vector<std::uint8_t> read;
    std::vector<std::uint8_t> buffer(70'000);
    for (auto got = source.read(buffer); got && *got != 0; got = source.read(buffer))
      read.insert(read.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
    CHECK(read == bytes);
    CHECK(source.read(buffer).value_or(1) == 0);
  }
}

TEST_CASE("an error of the source comes after the bytes before it, and stays", "[ahead-source]") {
  AheadSource source(std::make_unique<FailingSource>());
  std::vector<std::uint8_t> buffer(1000);
  std::size_t byte_count = 0;
  auto got = source.read(buffer);
  for (; got && *got != 0; got = source.read(buffer)) byte_count += *got;
  REQUIRE_FALSE(got);
  CHECK(got.error().message == "is damaged");
  CHECK(byte_count > 100'000);
  CHECK_FALSE(source.read(buffer));
  CHECK(source.transport().is_corrupt);
}

TEST_CASE("a source need not be read to its end", "[ahead-source]") {
  const std::vector<std::uint8_t> bytes = make_bytes(10'000'000);
  std::vector<std::uint8_t> buffer(10);
  AheadSource source(std::make_unique<MemorySource>(bytes));
  CHECK(source.read(buffer).value_or(0) == 10);
}
