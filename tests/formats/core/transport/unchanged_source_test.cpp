#include "formats/core/transport/unchanged_source.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

constexpr std::size_t large = 600'000;

/// Reads everything from `offset` to the end. Empty if that fails.
std::optional<std::vector<std::uint8_t>> read_from(SeekableSource& source, std::uint64_t offset) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> buffer(100'000);
  for (;;) {
    const auto got = source.read_at(offset + bytes.size(), buffer);
    if (!got) return std::nullopt;
    if (*got == 0) return bytes;
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

/// Bytes whose number may differ from the number at the start.
class ResizedSource final : public SeekableSource {
 public:
  explicit ResizedSource(const std::vector<std::uint8_t>& bytes) : bytes_(bytes), byte_count_(bytes.size()) {}
  [[nodiscard]] std::uint64_t byte_count() const override { return byte_count_; }
  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override {
    const auto got = MemorySource(bytes_, 70'000).read_at(offset, buffer);
    read_ += *got;
    return got;
  }
  /// The number of bytes that were read.
  [[nodiscard]] std::uint64_t read() const { return read_; }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::uint64_t byte_count_;
  std::uint64_t read_ = 0;
};

}  // namespace

TEST_CASE("a source that does not change can be read again and again", "[core][source]") {
  std::vector<std::uint8_t> bytes(large);
  for (std::size_t i = 0; i < large; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
  UnchangedSource source(std::make_unique<ResizedSource>(bytes));
  CHECK(source.byte_count() == large);
  CHECK(read_from(source, 0) == bytes);
  CHECK(read_from(source, 0) == bytes);
  CHECK(read_from(source, 599'990) == std::vector<std::uint8_t>(bytes.end() - 10, bytes.end()));
  CHECK(read_from(source, large + 7) == std::vector<std::uint8_t>{});
}

TEST_CASE("each byte is read once, however small the pieces are that are asked for", "[core][source]") {
  const std::vector<std::uint8_t> bytes(large);
  auto counted = std::make_unique<ResizedSource>(bytes);
  const ResizedSource& counter = *counted;
  UnchangedSource source(std::move(counted));
  std::vector<std::uint8_t> piece(64);
  for (std::uint64_t offset = 0; offset < large; offset += piece.size())
    REQUIRE(source.read_at(offset, piece) == piece.size());
  CHECK(counter.read() == large);
}

TEST_CASE("a changed byte is noticed when it is read again", "[core][source]") {
  std::vector<std::uint8_t> bytes(large);
  UnchangedSource source(std::make_unique<ResizedSource>(bytes));
  REQUIRE(read_from(source, 0));
  bytes[3] = 1;
  CHECK(read_from(source, 400'000));
  const auto again = read_from(source, 0);
  CHECK(!again);
}

TEST_CASE("a source that has become longer or shorter is not read", "[core][source]") {
  std::vector<std::uint8_t> bytes(large);
  UnchangedSource source(std::make_unique<ResizedSource>(bytes));
  bytes.resize(large + 1);
  CHECK(!read_from(source, 0));
  bytes.resize(large - 1);
  CHECK(!read_from(source, 0));
  bytes.resize(large);
  CHECK(read_from(source, 0));
}
