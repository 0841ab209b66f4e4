#include "formats/core/added_bytes.hpp"

#include <cstdint>
#include <initializer_list>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

/// Bytes that were left out before every byte of the content whose offset is a multiple of `distance`.
core::AddedBytes make_regular(std::uint64_t distance, std::uint64_t count) {
  core::AddedBytes added;
  for (std::uint64_t i = 1; i <= count; ++i) added.add(i * distance);
  return added;
}

}  // namespace

TEST_CASE("without added bytes, offsets in the content are those in the file", "[core]") {
  const core::AddedBytes added;
  CHECK(added.count() == 0);
  CHECK(added.to_file(0) == 0);
  CHECK(added.to_file(1000) == 1000);
  CHECK(added.from_file(1000) == 1000);
}

TEST_CASE("each added byte moves all later bytes by one", "[core]") {
  for (const std::uint64_t distance :
       std::initializer_list<std::uint64_t>{1, 3, 127, 128, 20'000, 3'000'000}) {
    CAPTURE(distance);
    const core::AddedBytes added = make_regular(distance, 5000);
    CHECK(added.count() == 5000);
    CHECK(added.first() == distance);
    for (const std::uint64_t i :
         std::initializer_list<std::uint64_t>{1, 2, 1023, 1024, 1025, 2048, 4999, 5000}) {
      CAPTURE(i);
      // The byte that was left out is right before the byte at i * distance.
      CHECK(added.to_file(i * distance) == i * distance + i - 1);
      CHECK(added.to_file(i * distance + 1) == i * distance + 1 + i);
      CHECK(added.from_file(i * distance + i - 1) == i * distance);
      CHECK(added.from_file(i * distance + i) == i * distance);
    }
    CHECK(added.to_file(UINT64_C(1) << 40) == (UINT64_C(1) << 40) + 5000);
    CHECK(added.from_file((UINT64_C(1) << 40) + 5000) == UINT64_C(1) << 40);
  }
}

TEST_CASE("a place in the file includes the bytes that were left out inside it", "[core]") {
  core::AddedBytes added;
  added.add(10);
  added.add(12);
  CHECK(added.to_file(Span{4, 2}) == Span{4, 2});
  CHECK(added.to_file(Span{10, 1}) == Span{10, 2});
  CHECK(added.to_file(Span{11, 4}) == Span{12, 5});
  CHECK(added.to_file(Span{20, 4}) == Span{22, 4});
}
