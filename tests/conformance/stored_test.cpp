// Compressed data in a case consists of stored blocks, so that its bytes do not depend on the version of zstd
// or zlib.
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
namespace fs = std::filesystem;

namespace {

std::uint64_t number_at(const std::string& bytes, std::size_t offset, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width && offset + i < bytes.size(); ++i) {
    number |= std::uint64_t{static_cast<std::uint8_t>(bytes[offset + i])} << (8 * i);
  }
  return number;
}

/// Returns the size of a zstd frame header in bytes (RFC 8878, 3.1.1.1), including the magic.
std::size_t head_bytes(std::uint8_t descriptor) {
  constexpr std::array<std::size_t, 4> of_dictionary{0, 1, 2, 4};
  constexpr std::array<std::size_t, 4> of_content{0, 2, 4, 8};
  const bool is_single_segment = (descriptor & 0x20U) != 0;
  const std::size_t content = descriptor >> 6U == 0 && is_single_segment ? 1 : of_content[descriptor >> 6U];
  return 5 + (is_single_segment ? 0U : 1U) + of_dictionary[descriptor & 3U] + content;
}

/// Whether a block of the frame at `offset` is compressed.
bool has_compressed_block(const std::string& bytes, std::size_t offset) {
  constexpr std::uint64_t run_length = 1;
  constexpr std::uint64_t compressed = 2;
  constexpr std::uint64_t reserved = 3;
  std::size_t at = offset + head_bytes(static_cast<std::uint8_t>(number_at(bytes, offset + 4, 1)));
  while (at + 3 <= bytes.size()) {
    const std::uint64_t head = number_at(bytes, at, 3);
    const std::uint64_t type = head >> 1U & 3U;
    if (type == compressed) return true;
    if (type == reserved || (head & 1U) != 0) return false;
    at += 3 + (type == run_length ? 1 : head >> 3U);
  }
  return false;
}

bool has_compressed_frame(const std::string& bytes) {
  const std::string magic = "\x28\xb5\x2f\xfd";
  for (std::size_t at = bytes.find(magic); at != std::string::npos; at = bytes.find(magic, at + 1)) {
    if (has_compressed_block(bytes, at)) return true;
  }
  return false;
}

/// Whether a gzip file with the shortest header has a deflate block that is not stored.
bool has_deflated_block(const std::string& bytes) {
  for (std::size_t at = 10; at + 5 <= bytes.size(); at += 5 + number_at(bytes, at + 1, 2)) {
    if ((number_at(bytes, at, 1) & 6U) != 0) return true;
    if ((number_at(bytes, at, 1) & 1U) != 0) return false;
  }
  return false;
}

}  // namespace

TEST_CASE("compressed data in a case consists of stored blocks", "[export]") {
  const tests::Scratch scratch;
  const fs::path folder = scratch.path() / "all";
  REQUIRE(tests::run_shell(HEAPCHECK_CONFORMANCE_PROGRAM " export " + folder.string()).status == 0);
  std::set<std::string> compressed;
  std::size_t gzip_count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    const std::string bytes = tests::read(entry.path());
    const bool is_gzip = name.ends_with(".gz");
    gzip_count += is_gzip ? 1 : 0;
    if (is_gzip ? has_deflated_block(bytes) : has_compressed_frame(bytes)) compressed.insert(name);
  }
  CHECK(gzip_count > 0);
  CHECK(compressed == std::set<std::string>{});
}

TEST_CASE("compressed blocks are distinguished from stored ones", "[export]") {
  const std::string frame("\x28\xb5\x2f\xfd\x20\x02", 6);
  CHECK(!has_compressed_frame(frame + std::string("\x11\x00\x00hi", 5)));
  CHECK(!has_compressed_frame(frame + std::string("\x13\x00\x00h", 4)));
  CHECK(has_compressed_frame(frame + std::string("\x15\x00\x00hi", 5)));
  CHECK(has_compressed_frame(frame + std::string("\x10\x00\x00hi\x15\x00\x00hi", 10)));
  const std::string head("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  CHECK(!has_deflated_block(head + std::string("\x01\x02\x00\xfd\xffhi", 7)));
  CHECK(has_deflated_block(head + std::string("\xcb\xc8\x04\x00\xac\x2a", 6)));
}
