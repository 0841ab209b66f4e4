// Decodes runs of integers with the instructions of AVX2 or AVX-512, 64 bytes at a time. Works on borrowed
// bytes.
#pragma once

#include <cstdint>
#include <span>

#include "formats/core/bytes.hpp"
#include "formats/core/json/leaf.hpp"

namespace heapcheck::core::json {

/// Decodes what decode_unsigned_run() does with used_lanes(), if any, but stops further from the end of
/// `values`. Writes over values after those that it counts.
[[nodiscard]] UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values);

}  // namespace heapcheck::core::json
