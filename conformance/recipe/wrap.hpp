// Whole-file compression that uses only stored blocks, so that the bytes do not depend on the version of a
// compressor.
#pragma once

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance {

/// Encodes `content` as a gzip member of stored deflate blocks (RFC 1951, 3.2.4; RFC 1952).
Bytes store_as_gzip(core::ByteSpan content);
/// Encodes `content` as one zstd frame of stored blocks.
Bytes store_as_zstd(core::ByteSpan content);

}  // namespace heapcheck::conformance
