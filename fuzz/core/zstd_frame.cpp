// Property: a frame decodes to the same content as with libzstd, whole or in chunks; the content stays within
// the limits, and nothing after the end of the frame is consumed.
#include "formats/core/zstd_frame.hpp"

#include "fuzz/core/libzstd.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

struct Decoded {
  std::vector<std::uint8_t> content;
  std::optional<core::FrameFault> fault;
  Span place;
  std::uint64_t frame_bytes = 0;
  friend bool operator==(const Decoded&, const Decoded&) = default;
};

Decoded read(core::ByteSpan bytes, const Limits& limits, std::size_t chunk) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source);
  core::ZstdFrame frame(limits);
  Decoded outcome;
  const auto fail = [&](const core::FrameError& error) {
    require(fuzz::is_inside(error.place, bytes.size()), "an error is inside the input");
    outcome.fault = error.fault;
    outcome.place = error.place;
    return outcome;
  };
  if (const auto begun = frame.begin(window); !begun) return fail(begun.error());
  for (;;) {
    const auto piece = frame.next();
    if (!piece) return fail(piece.error());
    if (piece->empty()) break;
    outcome.content.insert(outcome.content.end(), piece->begin(), piece->end());
    require(outcome.content.size() <= *limits.max_expanded, "the content stays within the limit");
  }
  require(frame.content_bytes() == outcome.content.size(), "the content is counted");
  require(window.offset() == frame.frame_bytes(), "the window is at the end of the frame");
  outcome.frame_bytes = frame.frame_bytes();
  return outcome;
}

/// Returns whether a frame that libzstd decodes may be refused with this fault. The frame may be skippable,
/// in an old format, or over a limit.
bool is_refusal(core::FrameFault fault) {
  return fault == core::FrameFault::magic || fault == core::FrameFault::window_limit ||
         fault == core::FrameFault::expansion_limit;
}

void compare_with_libzstd(core::ByteSpan bytes, const Decoded& outcome, std::uint64_t room) {
  const auto frame_bytes = fuzz::find_frame_end(bytes);
  if (!frame_bytes)
    return require(outcome.fault.has_value(), "a frame whose end libzstd does not find is refused");
  const auto content = fuzz::decode_with_libzstd(bytes.first(*frame_bytes), room);
  if (!content) return require(outcome.fault.has_value(), "a frame that libzstd does not decode is refused");
  if (outcome.fault) return require(is_refusal(*outcome.fault), "a frame that libzstd decodes is decoded");
  require(*frame_bytes == outcome.frame_bytes, "libzstd finds the same end");
  require(*content == outcome.content, "libzstd finds the same content");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const Limits limits = fuzz::make_limits();
  const Decoded outcome = read(bytes, limits, SIZE_MAX);
  require(outcome == read(bytes, limits, 1 + size % 13), "chunks do not change anything");
  compare_with_libzstd(bytes, outcome, *limits.max_expanded);
  return 0;
}
