// Changes to the bytes of a whole file: text mode, and compression that consists of stored blocks, so that
// the bytes do not depend on a compressor's version.
#pragma once

#include <string_view>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance {

/// The word for text mode in the statement `wrap`.
inline constexpr std::string_view text_mode = "text-mode";

/// Encodes `content` as a gzip member of stored deflate blocks (RFC 1951, 3.2.4; RFC 1952).
Bytes store_as_gzip(core::ByteSpan content);
/// Encodes `content` as one zstd frame of stored blocks.
Bytes store_as_zstd(core::ByteSpan content);
/// Adds a byte 0d before each byte 0a, as the C library of Windows does in text mode.
Bytes write_in_text_mode(core::ByteSpan content);

}  // namespace heapcheck::conformance
