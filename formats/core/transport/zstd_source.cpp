#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/transport/decoders.hpp"
#include "formats/core/transport/decoding_source.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

class ZstdSource final : public DecodingSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : DecodingSource(std::move(source), limits), context_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    const auto log = static_cast<int>(std::bit_width(limits.max_transport_window) - 1);
    if (context_) ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, log);
  }

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override {
    if (!context_) return std::unexpected(Error{ErrorKind::limit, no_memory});
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      const auto input = pending(zstd_magic.size());
      if (!input) return std::unexpected(input.error());
      if (frame_ended_ && !is_zstd(*input)) return take_trailing_bytes("zstd stream");
      ZSTD_inBuffer in{input->data(), std::min(input->size(), expected_), 0};
      const std::size_t status = ::ZSTD_decompressStream(context_.get(), &out, &in);
      consume(in.pos);
      if (::ZSTD_isError(status)) return fail_with(status, out.pos);
      frame_ended_ = status == 0;
      expected_ = frame_ended_ ? frame_start_bytes : status;
      // libzstd may still have content to return after it has taken the last byte, so both the input and the
      // output must be at their ends.
      if (input->empty() && out.pos == 0) {
        return std::unexpected(
            Error{ErrorKind::damaged, "the zstd stream that contains the file is truncated"});
      }
    }
    return out.pos;
  }

 private:
  Result<std::size_t> fail_with(std::size_t status, std::size_t produced) {
    if (::ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
      return fail(produced, ErrorKind::limit,
                  "the zstd stream that contains the file needs a window larger than the limit");
    }
    if (::ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
      return fail(produced, ErrorKind::limit, no_memory);
    note_corruption();
    return fail(produced, ErrorKind::damaged,
                std::string("the zstd stream that contains the file is damaged (") +
                    ::ZSTD_getErrorName(status) + ")");
  }

  static constexpr std::size_t frame_start_bytes = 5;
  static constexpr const char* no_memory = "not enough memory to decompress the zstd stream";

  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context_;
  /// The number of bytes that libzstd expects next: one block or the checksum. It is given no more than
  /// these, because a call that fails does not return the content that it decoded before the failure.
  std::size_t expected_ = frame_start_bytes;
  bool frame_ended_ = false;
};

}  // namespace

bool is_zstd(ByteSpan first_bytes) {
  // pzstd begins its files with a skippable frame, in whose magic four bits may have any value. spec: RFC
  // 8878, 3.1
  const std::string_view text = as_text(first_bytes);
  const bool is_skippable =
      text.size() >= 4 && (first_bytes[0] & 0xF0U) == 0x50 && text.substr(1).starts_with("\x2A\x4D\x18");
  return is_skippable || text.starts_with(zstd_magic);
}

std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> source, const Limits& limits) {
  return std::make_unique<ZstdSource>(std::move(source), limits);
}

}  // namespace heapcheck::core
