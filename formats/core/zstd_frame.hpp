// One zstd frame inside a file, decoded piece by piece from a window. The decoder follows the frame's own
// block headers, so it does not read beyond the frame, and it leaves the window at the first byte of a bad
// block. Owns libzstd's decoder, which is reused for all frames, and the last part of its output.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::core {

enum class FrameFault {
  truncated,        ///< the input ends inside the frame
  magic,            ///< there is no frame here
  corrupt,          ///< a header or block cannot be decoded
  dictionary,       ///< the frame needs a dictionary
  window_limit,     ///< the frame needs a window larger than Limits::max_frame_window
  expansion_limit,  ///< the content of the frame is larger than the Limits allow
  memory_limit,     ///< there is not enough memory for the window of the frame
};

struct FrameError {
  FrameFault fault;
  Span place;           ///< the place of the faulty header or block in the file
  std::string message;  ///< one lower-case clause that states what was found and what was expected
};

class ZstdFrame {
 public:
  explicit ZstdFrame(const Limits& limits);
  ZstdFrame(const ZstdFrame&) = delete;
  ZstdFrame& operator=(const ZstdFrame&) = delete;
  ~ZstdFrame();

  /// Reads the header of the frame at the front of `window`, which is borrowed until the end of the frame. If
  /// `trust_magic` is true, any first four bytes are accepted as the magic.
  std::expected<void, FrameError> begin(Window& window, bool trust_magic = false);

  /// Returns the content of the next block, which is at most 128 KiB and valid until the next call. It is
  /// empty at the end.
  std::expected<ByteSpan, FrameError> next();

  /// The size in bytes, according to its headers, of the frame that begins `at` bytes after the front of the
  /// window. Returns nothing if the window cannot show the whole frame.
  [[nodiscard]] static std::optional<std::size_t> measure(Window& window, std::size_t at);

  /// Counts a frame that was decoded elsewhere as if it had been decoded here. If the content may be larger
  /// than the Limits allow for all frames together, returns false and counts nothing.
  bool count_frame(std::uint64_t frame_bytes, std::uint64_t content_bytes);

  /// The number of compressed bytes consumed so far, and the number of content bytes returned so far.
  [[nodiscard]] std::uint64_t frame_bytes() const { return frame_bytes_; }
  [[nodiscard]] std::uint64_t content_bytes() const { return content_bytes_; }

 private:
  struct Head;
  struct Decoder;

  [[nodiscard]] std::expected<void, FrameError> check_head(const Head& head) const;
  std::expected<ByteSpan, FrameError> decode(ByteSpan bytes);
  std::expected<ByteSpan, FrameError> next_block();
  std::expected<std::size_t, FrameError> begin_block();
  std::expected<void, FrameError> finish();
  [[nodiscard]] FrameError make_error(FrameFault fault, std::uint64_t length, std::string message) const;
  [[nodiscard]] FrameError make_truncation() const;
  [[nodiscard]] std::uint64_t max_all_content() const;

  Limits limits_;
  std::unique_ptr<Decoder> decoder_;
  Window* window_ = nullptr;
  std::uint64_t frame_bytes_ = 0;
  std::uint64_t content_bytes_ = 0;
  std::uint64_t earlier_bytes_ = 0;    // the number of bytes of previous frames
  std::uint64_t earlier_content_ = 0;  // the size of the content of previous frames, in bytes
  bool has_checksum_ = false;
  std::optional<std::uint64_t> declared_content_;
  bool last_block_seen_ = false;
};

}  // namespace heapcheck::core
