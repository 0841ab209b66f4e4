// Finds keys in the bytes of a trace without reading its JSON: what looks like a key may also be in a string.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome {

/// A key that was found.
struct FoundKey {
  std::size_t key = 0;  ///< its number
  std::size_t at = 0;   ///< the number of bytes before its colon
};

/// The places in `bytes` where a quoted key is followed by `:{`; the first one is that of `first` if the
/// bytes begin with `:{`.
[[nodiscard]] std::vector<FoundKey> find_keys(core::ByteSpan bytes, std::span<const std::string_view> keys,
                                              std::size_t first);

}  // namespace heapcheck::chrome
