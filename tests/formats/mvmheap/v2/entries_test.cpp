#include "formats/mvmheap/v2/entries.hpp"

#include <cstdint>
#include <vector>

#include "formats/core/codec.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap;

namespace {

/// Decodes a reference of kind 2 in 64 bits.
v2::DecodedReferences decode(std::uint64_t index, std::uint64_t target) {
  std::vector<std::uint8_t> bytes{'6', 2};
  core::encode_le(index, bytes);
  core::encode_le(target, bytes);
  References references;
  v2::ReferencePlaces places;
  return v2::decode_references(bytes, 0, 1, references, places);
}

}  // namespace

TEST_CASE("a reference in 64 bits is too wide unless a value needs them", "[mvmheap][v2]") {
  CHECK(decode(0, 1).wide == 1);
  CHECK(decode(0, UINT32_MAX - 1).wide == 1);
  CHECK(decode(0, UINT32_MAX).wide == 0);
  CHECK(decode(std::uint64_t{1} << 40, 1).wide == 0);
  CHECK(decode(0, UINT64_MAX).wide == 0);
  CHECK(decode(UINT64_MAX, 0).wide == 0);
  CHECK(decode(UINT64_MAX, 0).is_odd);
}
