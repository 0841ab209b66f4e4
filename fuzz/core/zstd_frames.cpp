// Property: consecutive frames together decompress to no more than the limit for all frames, and each frame
// decompresses to the same content as on its own.
#include <algorithm>

#include "formats/core/zstd_frame.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Reads the frame at the front of the window; empty if it is broken or a limit is reached.
std::optional<Bytes> read_frame(core::ZstdFrame& frame, core::Window& window) {
  if (!frame.begin(window)) return std::nullopt;
  Bytes content;
  for (;;) {
    const auto piece = frame.next();
    if (!piece) return std::nullopt;
    if (piece->empty()) return content;
    content.insert(content.end(), piece->begin(), piece->end());
  }
}

std::optional<Bytes> read_alone(core::ByteSpan bytes, const Limits& limits) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::ZstdFrame frame(limits);
  return read_frame(frame, window);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  Limits limits = fuzz::make_limits();
  limits.max_all_expanded = 2 * *limits.max_expanded;
  core::MemorySource source(bytes);
  core::Window window(source);
  core::ZstdFrame frame(limits);
  constexpr int most_compared = 20;
  std::uint64_t content_bytes = 0;
  for (int i = 0; !window.at_end(); ++i) {
    const auto place = static_cast<std::size_t>(window.offset());
    const auto content = read_frame(frame, window);
    if (!content) break;
    content_bytes += content->size();
    require(content_bytes <= *limits.max_all_expanded, "all frames together stay within the limit");
    if (i < most_compared)
      require(content == read_alone(bytes.subspan(place), limits),
              "each frame has the same content as on its own");
  }
  return 0;
}
