#include "conformance/recipe/wrap.hpp"

#include <algorithm>

#include "formats/core/codec.hpp"

namespace heapcheck::conformance {
namespace {

std::uint32_t checksum_of(core::ByteSpan content) {
  std::uint32_t checksum = ~std::uint32_t{0};
  for (const std::uint8_t byte : content) {
    checksum ^= byte;
    for (int bit = 0; bit < 8; ++bit) checksum = checksum >> 1U ^ ((checksum & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~checksum;
}

}  // namespace

Bytes store_as_gzip(core::ByteSpan content) {
  constexpr std::size_t longest_block = 0xFFFF;
  constexpr std::uint8_t deflate = 8;
  constexpr std::uint8_t unknown_system = 255;
  Bytes out{0x1F, 0x8B, deflate, 0, 0, 0, 0, 0, 0, unknown_system};
  std::size_t done = 0;
  do {
    const std::size_t length = std::min(longest_block, content.size() - done);
    const auto block = content.subspan(done, length);
    done += length;
    out.push_back(done == content.size() ? 1 : 0);
    core::encode_le(static_cast<std::uint16_t>(length), out);
    core::encode_le(static_cast<std::uint16_t>(~length), out);
    out.insert(out.end(), block.begin(), block.end());
  } while (done < content.size());
  core::encode_le(checksum_of(content), out);
  core::encode_le(static_cast<std::uint32_t>(content.size()), out);
  return out;
}

Bytes write_in_text_mode(core::ByteSpan content) {
  Bytes out;
  for (const std::uint8_t byte : content) {
    if (byte == '\n') out.push_back('\r');
    out.push_back(byte);
  }
  return out;
}

}  // namespace heapcheck::conformance
