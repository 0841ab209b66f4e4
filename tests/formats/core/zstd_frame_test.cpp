#include "formats/core/zstd_frame.hpp"

#include <zstd.h>

#include <numeric>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes compress(const Bytes& content, bool checksum = false, int window_log = 0) {
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0);
  Bytes frame(::ZSTD_compressBound(content.size()));
  frame.resize(::ZSTD_compress2(context, frame.data(), frame.size(), content.data(), content.size()));
  ::ZSTD_freeCCtx(context);
  return frame;
}

Bytes make_content(std::size_t byte_count) {
  Bytes content(byte_count);
  std::uint32_t state = 1;
  for (auto& byte : content) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 29);
  return content;
}

/// A frame of stored blocks with a window of 1 KiB and no content size.
Bytes make_stored(const std::vector<Bytes>& blocks) {
  Bytes frame{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t head = blocks[i].size() << 3U | (i + 1 == blocks.size() ? 1U : 0U);
    for (unsigned shift = 0; shift < 24; shift += 8)
      frame.push_back(static_cast<std::uint8_t>(head >> shift));
    frame.insert(frame.end(), blocks[i].begin(), blocks[i].end());
  }
  return frame;
}

struct Outcome {
  Bytes content;
  std::optional<FrameFault> fault;
  std::uint64_t offset = 0;  ///< the final position of the window
};

Outcome decode(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  MemorySource source(bytes, chunk);
  Window window(source);
  ZstdFrame frame(limits);
  Outcome outcome;
  auto begun = frame.begin(window);
  if (!begun) outcome.fault = begun.error().fault;
  while (!outcome.fault) {
    const auto piece = frame.next();
    if (!piece) outcome.fault = piece.error().fault;
    if (!piece || piece->empty()) break;
    CHECK(piece->size() <= 128U * 1024U);
    outcome.content.insert(outcome.content.end(), piece->begin(), piece->end());
  }
  outcome.offset = window.offset();
  return outcome;
}

}  // namespace

TEST_CASE("a frame is decoded, and what follows it is left in the window", "[zstd]") {
  const Bytes content = make_content(GENERATE(0U, 1U, 1000U, 500'000U));
  Bytes bytes = compress(content, GENERATE(false, true));
  const std::size_t end = bytes.size();
  bytes.insert(bytes.end(), {1, 2, 3});
  const std::size_t chunk = GENERATE(1U, 7U, 4096U);
  const Outcome outcome = decode(bytes, chunk);
  CHECK(!outcome.fault);
  CHECK(outcome.content == content);
  CHECK(outcome.offset == end);
}

TEST_CASE("a frame many times longer than its window is decoded", "[zstd]") {
  const int window_log = GENERATE(10, 15, 17, 19);
  // Each part repeats the part that is one window earlier, except for a few bytes.
  Bytes content = make_content(std::size_t{1} << window_log);
  while (content.size() < 3'000'000) {
    const std::size_t part = std::min<std::size_t>(content.size(), (std::size_t{1} << window_log) - 100);
    const Bytes copy(content.end() - static_cast<std::ptrdiff_t>(part), content.end());
    content.insert(content.end(), copy.begin(), copy.end());
    content.push_back(static_cast<std::uint8_t>(content.size() >> 8U));
  }
  const Outcome outcome = decode(compress(content, true, window_log));
  CHECK(!outcome.fault);
  CHECK(outcome.content == content);
}

TEST_CASE("a frame cut off anywhere is reported as truncated", "[zstd]") {
  const Bytes bytes = compress(make_content(300), true);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO(length);
    const Outcome outcome = decode({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    CHECK(outcome.fault == FrameFault::truncated);
  }
}

TEST_CASE("a damaged block leaves the window at its first byte", "[zstd]") {
  Bytes bytes = make_stored({{1, 2, 3}, {4, 5}});
  bytes[6 + 3 + 3] |= 6U;  // the reserved type
  const Outcome outcome = decode(bytes);
  CHECK(outcome.fault == FrameFault::corrupt);
  CHECK(outcome.content == Bytes{1, 2, 3});
  CHECK(outcome.offset == 6 + 3 + 3);
}

TEST_CASE("a wrong checksum is reported", "[zstd]") {
  Bytes bytes = compress(make_content(300), true);
  bytes.back() ^= 1U;
  CHECK(decode(bytes).fault == FrameFault::corrupt);
}

TEST_CASE("anything that is not a frame or exceeds a limit is refused", "[zstd]") {
  Bytes bytes = make_stored({{1, 2, 3}});
  FrameFault fault = FrameFault::magic;
  SECTION("a different magic") { bytes[0] = 0; }
  SECTION("a dictionary") {
    bytes[4] = 1;
    bytes.insert(bytes.begin() + 6, 9);
    fault = FrameFault::dictionary;
  }
  SECTION("the reserved bit") {
    bytes[4] = 8;
    fault = FrameFault::corrupt;
  }
  SECTION("a window of 32 MiB") {
    bytes[5] = 15U << 3U;
    fault = FrameFault::window_limit;
  }
  SECTION("a window of 4 GiB, which libzstd never writes") {
    bytes[5] = 22U << 3U;
    fault = FrameFault::corrupt;
  }
  CHECK(decode(bytes).fault == fault);
}

TEST_CASE("decoding stops at a frame that decompresses to too much", "[zstd]") {
  const Bytes bytes = compress(Bytes(40U << 20U));
  CHECK(!decode(bytes).fault);
  Limits limits;
  limits.all_frames_floor = 30U << 20U;
  CHECK(decode(bytes, SIZE_MAX, limits).fault == FrameFault::expansion_limit);
  limits.max_expanded = 100;
  CHECK(decode(compress(make_content(101)), SIZE_MAX, limits).fault == FrameFault::expansion_limit);
  CHECK(!decode(compress(make_content(100)), SIZE_MAX, limits).fault);
}

TEST_CASE("decoding stops when frames decompress to too much in total", "[zstd]") {
  const Bytes frame = compress(Bytes(10U << 20U));
  Bytes bytes;
  for (int i = 0; i < 7; ++i) bytes.insert(bytes.end(), frame.begin(), frame.end());
  const auto decode_all = [&](const Limits& limits) {
    MemorySource source(bytes);
    Window window(source);
    ZstdFrame decoder(limits);
    int decoded = 0;
    for (; decoded < 7 && decoder.begin(window); ++decoded) {
      auto piece = decoder.next();
      while (piece && !piece->empty()) piece = decoder.next();
      if (!piece && piece.error().fault == FrameFault::expansion_limit) break;
    }
    return decoded;
  };
  CHECK(decode_all({}) == 7);
  Limits limits;
  limits.all_frames_floor = 64U << 20U;
  CHECK(decode_all(limits) == 6);
  limits.max_expanded = 10U << 20U;
  CHECK(decode_all(limits) == 6);
  limits.max_expanded = 70U << 20U;
  CHECK(decode_all(limits) == 7);
  limits.max_all_expanded = 30U << 20U;
  CHECK(decode_all(limits) == 3);
}

TEST_CASE("a frame with a damaged magic is decoded on request", "[zstd]") {
  Bytes bytes = make_stored({{1, 2, 3}});
  bytes[1] = 0;
  MemorySource source(bytes);
  Window window(source);
  ZstdFrame frame(Limits{});
  CHECK(!frame.begin(window));
  REQUIRE(frame.begin(window, true));
  CHECK(frame.next().value().size() == 3);
  CHECK(frame.frame_bytes() == 12);
}
