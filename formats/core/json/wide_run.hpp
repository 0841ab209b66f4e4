// Decodes runs of integers with the instructions of AVX-512, 64 bytes at a time. Works on borrowed bytes.
#pragma once

#include <cstdint>
#include <span>

#include "formats/core/bytes.hpp"
#include "formats/core/json/leaf.hpp"

namespace heapcheck::core::json {

/// Decodes what decode_unsigned_run() does, but stops further from the end of `bytes` and of `values`. Writes
/// over values after those that it counts. Only if has_wide_digits().
[[nodiscard]] UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values);

}  // namespace heapcheck::core::json
