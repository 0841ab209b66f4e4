// Decodes a frame with libzstd, for comparison.
#pragma once

#include <zstd.h>

#include <memory>
#include <optional>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::fuzz {

/// The size of the frame at the front, in bytes.
inline std::optional<std::size_t> find_frame_end(core::ByteSpan bytes) {
  const std::size_t count = ::ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  return ::ZSTD_isError(count) != 0 ? std::nullopt : std::optional(count);
}

/// The content of the frame that fills `bytes`; empty if libzstd cannot decode it into `room` bytes. Requires
/// both libzstd APIs to decode the frame, because the one-shot API accepts runs that are longer than a block
/// may be, and the streaming API accepts empty compressed blocks. The last byte is passed to the streaming
/// API separately, because that API decodes a stream in one shot if it arrives in one piece.
inline std::optional<std::vector<std::uint8_t>> decode_with_libzstd(core::ByteSpan bytes,
                                                                    std::uint64_t room) {
  std::vector<std::uint8_t> content(static_cast<std::size_t>(room));
  const std::size_t count = ::ZSTD_decompress(content.data(), content.size(), bytes.data(), bytes.size());
  if (::ZSTD_isError(count) != 0) return std::nullopt;
  const std::unique_ptr<ZSTD_DStream, decltype(&::ZSTD_freeDStream)> stream(::ZSTD_createDStream(),
                                                                            &::ZSTD_freeDStream);
  ZSTD_inBuffer in{bytes.data(), bytes.size() - 1, 0};
  ZSTD_outBuffer out{content.data(), content.size(), 0};
  if (::ZSTD_isError(::ZSTD_decompressStream(stream.get(), &out, &in)) != 0) return std::nullopt;
  in.size = bytes.size();
  if (::ZSTD_decompressStream(stream.get(), &out, &in) != 0 || in.pos != in.size) return std::nullopt;
  content.resize(count);
  return content;
}

}  // namespace heapcheck::fuzz
