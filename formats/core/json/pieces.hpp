// Cuts the elements of a large array into pieces, which several threads can decode.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::core::json {

/// The pieces of `bytes`, each of which ends with its comma number `comma_count`. The bytes after the last
/// one are left out. If the elements are numbers, each piece has that many.
[[nodiscard]] std::vector<ByteSpan> cut_at_commas(ByteSpan bytes, std::size_t comma_count);

/// Decodes a piece that has as many elements as there are `values`, all of them plain integers from 0 to
/// 2^64 - 1, each directly followed by `,` or by a line feed and `,`. Returns whether it is such a piece.
[[nodiscard]] bool decode_piece(ByteSpan piece, std::span<std::uint64_t> values);

}  // namespace heapcheck::core::json
