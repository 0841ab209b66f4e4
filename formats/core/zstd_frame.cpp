#include "formats/core/zstd_frame.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "formats/core/codec.hpp"

namespace heapcheck::core {
namespace {

constexpr std::size_t longest_head = 18;
constexpr std::size_t block_head_bytes = 3;
constexpr std::uint64_t largest_block = 128 * 1024;
/// Small enough that the decoder, and whoever takes the content, find it in the nearest cache.
constexpr std::size_t piece_bytes = 64 * 1024;
constexpr std::uint32_t frame_magic = 0xFD2FB528;

std::uint64_t decode_sized(ByteSpan bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

/// What a frame's head says (RFC 8878, 3.1.1.1).
struct ZstdFrame::Head {
  std::size_t byte_count = 0;
  std::uint64_t window_bytes = 0;
  std::uint64_t dictionary = 0;
  std::optional<std::uint64_t> content_bytes;
  bool has_checksum = false;
  bool reserved_bit = false;

  /// The head at the front of `bytes`; nothing when they end inside it.
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
    head.byte_count = 5 + (single_segment ? 0 : 1) + dictionary_size + content_size;
    if (bytes.size() < head.byte_count) return std::nullopt;
    head.has_checksum = (descriptor & 4U) != 0;
    head.reserved_bit = (descriptor & 8U) != 0;
    const std::size_t dictionary_at = 5 + (single_segment ? 0 : 1);
    head.dictionary = decode_sized(bytes.subspan(dictionary_at, dictionary_size));
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

struct ZstdFrame::Decoder {
  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context{::ZSTD_createDCtx(), ::ZSTD_freeDCtx};
};

ZstdFrame::ZstdFrame(const Limits& limits)
    : limits_(limits), decoder_(std::make_unique<Decoder>()), output_(piece_bytes) {}

ZstdFrame::~ZstdFrame() = default;

FrameError ZstdFrame::make_error(FrameFault fault, std::uint64_t length, std::string message) const {
  return {fault, {window_->offset(), length}, std::move(message)};
}

FrameError ZstdFrame::make_truncation() const {
  return make_error(FrameFault::truncated, window_->peek(1).size(), "input ends inside a zstd frame");
}

std::uint64_t ZstdFrame::max_content() const {
  if (limits_.max_expanded) return *limits_.max_expanded;
  return std::max(limits_.frame_floor, limits_.frame_ratio * frame_bytes_);
}

std::expected<void, FrameError> ZstdFrame::begin(Window& window, bool trust_magic) {
  window_ = &window;
  start_ = window.offset();
  frame_bytes_ = content_bytes_ = 0;
  last_block_seen_ = false;
  block_bytes_ = 0;
  const ByteSpan bytes = window.peek(longest_head);
  if (bytes.size() < sizeof(frame_magic)) return std::unexpected(make_truncation());
  const auto magic = decode_le<std::uint32_t>(bytes.data());
  if (magic != frame_magic && !trust_magic) {
    return std::unexpected(make_error(
        FrameFault::magic, 4,
        fmt::format("frame starts with {:02x} {:02x} {:02x} {:02x}, a zstd frame starts with 28 b5 2f fd",
                    bytes[0], bytes[1], bytes[2], bytes[3])));
  }
  const auto head = Head::decode(bytes);
  if (!head) return std::unexpected(make_truncation());
  if (head->reserved_bit) {
    return std::unexpected(make_error(FrameFault::corrupt, head->byte_count,
                                      "reserved bit of the frame head is set, it must be 0"));
  }
  if (head->dictionary != 0) {
    return std::unexpected(
        make_error(FrameFault::dictionary, head->byte_count,
                   fmt::format("frame needs dictionary {}, it must need none", head->dictionary)));
  }
  if (head->window_bytes > limits_.max_frame_window) {
    return std::unexpected(make_error(FrameFault::window_limit, head->byte_count,
                                      fmt::format("frame needs a window of {} bytes, the limit is {}",
                                                  head->window_bytes, limits_.max_frame_window)));
  }
  has_checksum_ = head->has_checksum;
  declared_content_ = head->content_bytes;
  block_max_ = std::min(largest_block, std::max<std::uint64_t>(head->window_bytes, 1));
  if (!decoder_->context) {
    return std::unexpected(make_error(FrameFault::memory_limit, 0, "no memory for the zstd decoder"));
  }
  ::ZSTD_DCtx_reset(decoder_->context.get(), ZSTD_reset_session_only);
  std::array<std::uint8_t, longest_head> head_bytes{0x28, 0xB5, 0x2F, 0xFD};
  std::copy_n(bytes.begin() + 4, head->byte_count - 4, head_bytes.begin() + 4);
  std::size_t taken = 0;
  auto decoded = decode(ByteSpan(head_bytes).first(head->byte_count), taken);
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  window.consume(head->byte_count);
  frame_bytes_ = head->byte_count;
  return {};
}

/// Feeds `input` from `taken` on to libzstd and gives the content that fits one piece.
std::expected<ByteSpan, FrameError> ZstdFrame::decode(ByteSpan input, std::size_t& taken) {
  ZSTD_inBuffer in{input.data(), input.size(), taken};
  ZSTD_outBuffer out{output_.data(), output_.size(), 0};
  std::size_t before = 0;
  do {
    before = in.pos + out.pos;
    const std::size_t status = ::ZSTD_decompressStream(decoder_->context.get(), &out, &in);
    if (::ZSTD_isError(status)) {
      return std::unexpected(
          make_error(FrameFault::corrupt, input.size(),
                     fmt::format("block of {} bytes does not decode ({}), it must be a whole zstd block",
                                 input.size(), ::ZSTD_getErrorName(status))));
    }
  } while (in.pos != in.size && out.pos != out.size && in.pos + out.pos != before);
  taken = in.pos;
  return ByteSpan(output_).first(out.pos);
}

std::expected<ByteSpan, FrameError> ZstdFrame::next() {
  while (block_bytes_ != 0 || !last_block_seen_) {
    auto piece = next_piece();
    if (!piece) return piece;
    content_bytes_ += piece->size();
    if (content_bytes_ > max_content()) {
      return std::unexpected(make_error(
          FrameFault::expansion_limit, 0,
          fmt::format("frame expands past {} bytes, the limit for its compressed size", max_content())));
    }
    if (!piece->empty()) return piece;
  }
  if (auto finished = finish(); !finished) return std::unexpected(std::move(finished.error()));
  return ByteSpan{};
}

/// Reads the head of the next block and makes sure that the window holds all of it.
std::expected<void, FrameError> ZstdFrame::begin_block() {
  constexpr std::uint64_t rle_type = 1;
  constexpr std::uint64_t compressed_type = 2;
  constexpr std::uint64_t reserved_type = 3;
  const ByteSpan bytes = window_->peek(block_head_bytes);
  if (bytes.size() < block_head_bytes) return std::unexpected(make_truncation());
  const std::uint64_t head = decode_sized(bytes.first(block_head_bytes));
  const std::uint64_t type = (head >> 1U) & 3U;
  const std::uint64_t size = head >> 3U;
  const bool is_empty = type == compressed_type && size == 0;
  if (type == reserved_type || is_empty || (type != rle_type && size > block_max_)) {
    return std::unexpected(make_error(
        FrameFault::corrupt, block_head_bytes,
        fmt::format("block head says type {} and {} bytes, required is a type of 0 to 2 and 1 to {} bytes",
                    type, size, block_max_)));
  }
  last_block_seen_ = (head & 1U) != 0;
  block_bytes_ = block_head_bytes + (type == rle_type ? 1 : static_cast<std::size_t>(size));
  block_taken_ = 0;
  if (window_->peek(block_bytes_).size() < block_bytes_) return std::unexpected(make_truncation());
  return {};
}

/// One piece of the block at the window's front. The window steps over the block when the decoder
/// has taken all of it: libzstd holds back the last byte until its output is fetched.
std::expected<ByteSpan, FrameError> ZstdFrame::next_piece() {
  if (block_bytes_ == 0) {
    if (auto begun = begin_block(); !begun) return std::unexpected(std::move(begun.error()));
    frame_bytes_ += block_bytes_;
  }
  auto piece = decode(window_->peek(block_bytes_).first(block_bytes_), block_taken_);
  if (!piece) return piece;
  const bool is_full = piece->size() == output_.size();
  if (!is_full && block_taken_ != block_bytes_) {
    return std::unexpected(
        make_error(FrameFault::corrupt, block_bytes_,
                   "frame ends before its last block, the block must be marked as the last"));
  }
  if (!is_full) {
    window_->consume(block_bytes_);
    block_bytes_ = 0;
  }
  return piece;
}

std::expected<void, FrameError> ZstdFrame::finish() {
  constexpr std::size_t checksum_bytes = 4;
  if (declared_content_ && *declared_content_ != content_bytes_) {
    return std::unexpected(make_error(FrameFault::corrupt, 0,
                                      fmt::format("frame holds {} bytes of content, its head says {}",
                                                  content_bytes_, *declared_content_)));
  }
  if (!std::exchange(has_checksum_, false)) return {};
  const ByteSpan bytes = window_->peek(checksum_bytes);
  if (bytes.size() < checksum_bytes) return std::unexpected(make_truncation());
  ZSTD_inBuffer in{bytes.data(), checksum_bytes, 0};
  ZSTD_outBuffer out{nullptr, 0, 0};
  const std::size_t status = ::ZSTD_decompressStream(decoder_->context.get(), &out, &in);
  if (status != 0) {
    return std::unexpected(make_error(FrameFault::corrupt, checksum_bytes,
                                      fmt::format("frame's checksum is {:08x}, its content has another one",
                                                  decode_le<std::uint32_t>(bytes.data()))));
  }
  window_->consume(checksum_bytes);
  frame_bytes_ += checksum_bytes;
  return {};
}

}  // namespace heapcheck::core
