#include "formats/core/zstd_frame.hpp"

#include <fmt/format.h>
// libzstd's functions for single blocks are available only when it is linked statically, as it is here.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>

#include "formats/core/codec.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::core {
namespace {

constexpr std::size_t longest_head = 18;
constexpr std::size_t block_head_bytes = 3;
constexpr std::uint64_t largest_block = 128 * 1024;
/// libzstd's ZSTD_WINDOWLOG_MAX. libzstd never writes a frame with a larger window.
constexpr std::uint64_t largest_window = std::uint64_t{1} << 31U;
constexpr std::size_t checksum_bytes = 4;
/// The block types that must be distinguished.
constexpr std::uint64_t rle_type = 1;
constexpr std::uint64_t compressed_type = 2;
constexpr std::uint64_t reserved_type = 3;
constexpr std::array<std::uint8_t, 4> frame_magic{0x28, 0xB5, 0x2F, 0xFD};

std::uint64_t decode_sized(ByteSpan bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

/// The header of a frame (RFC 8878, 3.1.1.1).
struct ZstdFrame::Head {
  std::size_t byte_count = 0;
  std::uint64_t window_bytes = 0;  // for a single-segment frame, the size of its content
  bool is_single_segment = false;
  std::uint64_t dictionary = 0;
  std::optional<std::uint64_t> content_bytes;
  bool has_checksum = false;
  bool reserved_bit = false;

  /// The header at the front of `bytes`, or nothing if `bytes` end inside the header.
  static std::optional<Head> decode(ByteSpan bytes) {
    constexpr std::array<std::size_t, 4> dictionary_sizes{0, 1, 2, 4};
    constexpr std::array<std::size_t, 4> content_sizes{0, 2, 4, 8};
    if (bytes.size() < 5) return std::nullopt;
    const std::uint8_t descriptor = bytes[4];
    const bool single_segment = (descriptor & 0x20U) != 0;
    const std::size_t dictionary_size = dictionary_sizes[descriptor & 3U];
    const std::size_t content_flag = descriptor >> 6U;
    const std::size_t content_size = content_flag == 0 && single_segment ? 1 : content_sizes[content_flag];
    Head head;
    head.is_single_segment = single_segment;
    head.byte_count = 5 + (single_segment ? 0 : 1) + dictionary_size + content_size;
    if (bytes.size() < head.byte_count) return std::nullopt;
    head.has_checksum = (descriptor & 4U) != 0;
    head.reserved_bit = (descriptor & 8U) != 0;
    const std::size_t dictionary_at = 5 + (single_segment ? 0 : 1);
    head.dictionary = decode_sized(bytes.subspan(dictionary_at, dictionary_size));
    // spec: RFC 8878, 3.1.1.1.4. A two-byte size has an offset of 256, because one byte is enough for smaller
    // sizes.
    if (content_size != 0) {
      const std::uint64_t base = content_size == 2 ? 256 : 0;
      head.content_bytes = base + decode_sized(bytes.subspan(dictionary_at + dictionary_size, content_size));
    }
    if (single_segment) {
      head.window_bytes = head.content_bytes.value_or(0);
    } else {
      const std::uint64_t unit = std::uint64_t{1} << (10U + (bytes[5] >> 3U));
      head.window_bytes = unit + (unit / 8) * (bytes[5] & 7U);
    }
    return head;
  }
};

/// libzstd's decoder, and the ring buffer into which it decodes. Each block is placed directly after the
/// previous block, so that libzstd can find the data that it repeats, or at the front if the rest of the ring
/// may be too short. Content can be used in place because the ring belongs to this decoder, whereas the
/// streaming interface copies everything out of its own buffer.
struct ZstdFrame::Decoder {
  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context{::ZSTD_createDCtx(), ::ZSTD_freeDCtx};
  std::unique_ptr<std::uint8_t[]> ring;
  std::size_t ring_bytes = 0;
  std::size_t position = 0;
  std::size_t block_max = 0;  // the largest content of one block

  /// Prepares for a frame with this window. Returns whether there is enough memory for it.
  bool begin(std::uint64_t window_bytes) {
    if (!context) return false;
    ::ZSTD_decompressBegin(context.get());
    position = 0;
    block_max = static_cast<std::size_t>(std::min(largest_block, window_bytes));
    const std::size_t needed = ::ZSTD_decodingBufferSize_min(window_bytes, ZSTD_CONTENTSIZE_UNKNOWN);
    if (needed <= ring_bytes) return true;
    ring.reset();
    ring.reset(new (std::nothrow) std::uint8_t[needed]);
    ring_bytes = ring ? needed : 0;
    return ring != nullptr;
  }

  /// Decodes the next bytes of the frame in the portions that libzstd requests, at most one of which produces
  /// content. Returns the content, which stays in the ring, or the name of libzstd's error.
  std::expected<ByteSpan, const char*> decode(ByteSpan bytes) {
    if (ring_bytes - position < block_max) position = 0;
    const std::size_t start = position;
    while (!bytes.empty()) {
      const ByteSpan portion =
          bytes.first(std::min(bytes.size(), ::ZSTD_nextSrcSizeToDecompress(context.get())));
      const std::size_t status = ::ZSTD_decompressContinue(
          context.get(), ring.get() + position, ring_bytes - position, portion.data(), portion.size());
      if (::ZSTD_isError(status)) return std::unexpected(::ZSTD_getErrorName(status));
      position += status;
      bytes = bytes.subspan(portion.size());
    }
    return ByteSpan(ring.get() + start, position - start);
  }
};

ZstdFrame::ZstdFrame(const Limits& limits) : limits_(limits), decoder_(std::make_unique<Decoder>()) {}

ZstdFrame::~ZstdFrame() = default;

FrameError ZstdFrame::make_error(FrameFault fault, std::uint64_t length, std::string message) const {
  return {fault, {window_->offset(), length}, std::move(message)};
}

std::uint64_t ZstdFrame::max_all_content() const {
  if (limits_.max_all_expanded) return *limits_.max_all_expanded;
  return std::max({limits_.all_frames_floor, limits_.all_frames_ratio * (earlier_bytes_ + frame_bytes_),
                   limits_.max_expanded.value_or(0)});
}

FrameError ZstdFrame::make_truncation() const {
  return make_error(FrameFault::truncated, window_->peek(1).size(),
                    "unexpected end of input inside a zstd frame");
}

std::expected<void, FrameError> ZstdFrame::begin(Window& window, bool trust_magic) {
  window_ = &window;
  earlier_bytes_ += frame_bytes_;
  earlier_content_ += content_bytes_;
  frame_bytes_ = content_bytes_ = 0;
  last_block_seen_ = false;
  const ByteSpan bytes = window.peek(longest_head);
  if (bytes.size() < frame_magic.size()) return std::unexpected(make_truncation());
  if (!std::ranges::equal(bytes.first(frame_magic.size()), frame_magic) && !trust_magic) {
    return std::unexpected(
        make_error(FrameFault::magic, frame_magic.size(),
                   fmt::format("frame starts with {:02x} {:02x} {:02x} {:02x}, expected 28 b5 2f fd",
                               bytes[0], bytes[1], bytes[2], bytes[3])));
  }
  const auto head = Head::decode(bytes);
  if (!head) return std::unexpected(make_truncation());
  if (auto checked = check_head(*head); !checked) return checked;
  has_checksum_ = head->has_checksum;
  declared_content_ = head->content_bytes;
  if (!decoder_->begin(head->window_bytes)) {
    return std::unexpected(make_error(FrameFault::memory_limit, 0, "not enough memory for the zstd decoder"));
  }
  std::array<std::uint8_t, longest_head> head_bytes{};
  std::ranges::copy(bytes.first(head->byte_count), head_bytes.begin());
  std::ranges::copy(frame_magic, head_bytes.begin());  // if the magic is trusted, it may be wrong in the file
  if (auto decoded = decode(ByteSpan(head_bytes).first(head->byte_count)); !decoded) {
    return std::unexpected(std::move(decoded.error()));
  }
  window.consume(head->byte_count);
  frame_bytes_ = head->byte_count;
  return {};
}

std::optional<std::size_t> ZstdFrame::measure(Window& window, std::size_t at) {
  const ByteSpan front = window.look_ahead(at + longest_head);
  const auto head = Head::decode(front.subspan(std::min(at, front.size())));
  if (!head) return std::nullopt;
  std::size_t end = at + head->byte_count;
  for (bool is_last = false; !is_last;) {
    const ByteSpan bytes = window.look_ahead(end + block_head_bytes);
    if (bytes.size() < end + block_head_bytes) return std::nullopt;
    const std::uint64_t block = decode_sized(bytes.subspan(end, block_head_bytes));
    const bool is_run = ((block >> 1U) & 3U) == rle_type;
    is_last = (block & 1U) != 0;
    end += block_head_bytes + (is_run ? 1 : static_cast<std::size_t>(block >> 3U));
  }
  end += head->has_checksum ? checksum_bytes : 0;
  if (window.look_ahead(end).size() < end) return std::nullopt;
  return end - at;
}

bool ZstdFrame::count_frame(std::uint64_t frame_bytes, std::uint64_t content_bytes) {
  if (earlier_content_ + content_bytes_ + content_bytes > max_all_content()) return false;
  earlier_bytes_ += std::exchange(frame_bytes_, frame_bytes);
  earlier_content_ += std::exchange(content_bytes_, content_bytes);
  return true;
}

std::expected<void, FrameError> ZstdFrame::check_head(const Head& head) const {
  if (head.reserved_bit) {
    return std::unexpected(make_error(FrameFault::corrupt, head.byte_count,
                                      "reserved bit of the frame header is set, expected 0"));
  }
  if (head.dictionary != 0) {
    return std::unexpected(
        make_error(FrameFault::dictionary, head.byte_count,
                   fmt::format("frame needs dictionary {}, expected none", head.dictionary)));
  }
  if (!head.is_single_segment && head.window_bytes > largest_window) {
    return std::unexpected(make_error(FrameFault::corrupt, head.byte_count,
                                      fmt::format("frame requires a window of {} bytes, expected at most {}",
                                                  head.window_bytes, largest_window)));
  }
  if (head.window_bytes > limits_.max_frame_window) {
    return std::unexpected(
        make_error(FrameFault::window_limit, head.byte_count,
                   fmt::format("frame needs a window of {} bytes, more than the limit of {}",
                               head.window_bytes, limits_.max_frame_window)));
  }
  return {};
}

std::expected<ByteSpan, FrameError> ZstdFrame::decode(ByteSpan bytes) {
  const auto content = decoder_->decode(bytes);
  if (content) return *content;
  return std::unexpected(
      make_error(FrameFault::corrupt, bytes.size(),
                 fmt::format("block of {} does not decode ({}), expected a valid zstd block",
                             counted(bytes.size(), "byte"), content.error())));
}

std::expected<ByteSpan, FrameError> ZstdFrame::next() {
  while (!last_block_seen_) {
    auto content = next_block();
    if (!content || !content->empty()) return content;
  }
  if (auto finished = finish(); !finished) return std::unexpected(std::move(finished.error()));
  return ByteSpan{};
}

/// Decodes the block at the front of the window and skips it.
std::expected<ByteSpan, FrameError> ZstdFrame::next_block() {
  const auto byte_count = begin_block();
  if (!byte_count) return std::unexpected(byte_count.error());
  frame_bytes_ += *byte_count;
  auto content = decode(window_->peek(*byte_count).first(*byte_count));
  if (!content) return content;
  content_bytes_ += content->size();
  if (limits_.max_expanded && content_bytes_ > *limits_.max_expanded) {
    return std::unexpected(make_error(
        FrameFault::expansion_limit, 0,
        fmt::format("frame decompresses to more than the limit of {} bytes", *limits_.max_expanded)));
  }
  if (earlier_content_ + content_bytes_ > max_all_content()) {
    return std::unexpected(make_error(
        FrameFault::expansion_limit, 0,
        fmt::format("frames so far decompress to more than the limit of {} bytes", max_all_content())));
  }
  // This comes last, so that the window remains at the first byte of a block that is wrong or exceeds a
  // limit.
  window_->consume(*byte_count);
  return content;
}

/// Reads the header of the next block and makes sure that the window contains the whole block. Returns the
/// number of its bytes, including the header.
std::expected<std::size_t, FrameError> ZstdFrame::begin_block() {
  const ByteSpan bytes = window_->peek(block_head_bytes);
  if (bytes.size() < block_head_bytes) return std::unexpected(make_truncation());
  const std::uint64_t head = decode_sized(bytes.first(block_head_bytes));
  const std::uint64_t type = (head >> 1U) & 3U;
  const std::uint64_t size = head >> 3U;
  const bool is_empty = type == compressed_type && size == 0;
  if (type == reserved_type || is_empty || (type != rle_type && size > decoder_->block_max)) {
    return std::unexpected(
        make_error(FrameFault::corrupt, block_head_bytes,
                   fmt::format("block header states type {} and {}, expected a type of 0 to 2 and 1 to {}",
                               type, counted(size, "byte"), counted(decoder_->block_max, "byte"))));
  }
  last_block_seen_ = (head & 1U) != 0;
  const std::size_t byte_count = block_head_bytes + (type == rle_type ? 1 : static_cast<std::size_t>(size));
  if (window_->peek(byte_count).size() < byte_count) return std::unexpected(make_truncation());
  return byte_count;
}

std::expected<void, FrameError> ZstdFrame::finish() {
  if (declared_content_ && *declared_content_ != content_bytes_) {
    return std::unexpected(
        make_error(FrameFault::corrupt, 0,
                   fmt::format("frame has {} of content, expected {} according to its header",
                               counted(content_bytes_, "byte"), *declared_content_)));
  }
  if (!std::exchange(has_checksum_, false)) return {};
  const ByteSpan bytes = window_->peek(checksum_bytes);
  if (bytes.size() < checksum_bytes) return std::unexpected(make_truncation());
  if (!decoder_->decode(bytes.first(checksum_bytes))) {
    return std::unexpected(
        make_error(FrameFault::corrupt, checksum_bytes,
                   fmt::format("frame checksum is {:08x}, expected the checksum of its content",
                               decode_le<std::uint32_t>(bytes.data()))));
  }
  window_->consume(checksum_bytes);
  frame_bytes_ += checksum_bytes;
  return {};
}

}  // namespace heapcheck::core
