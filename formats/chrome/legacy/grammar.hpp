// The productions of spec/chrome/legacy.md#grammar, each as a function with the same name. Each function must
// match all the bytes that it is given. Otherwise, it returns nothing. Owns nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::legacy::grammar {

/// A size or a count: 1 to 16 hexadecimal digits.
std::optional<std::uint64_t> hex_number(core::ByteSpan bytes);

/// An id that is a decimal number below 2^31 without leading zeros.
std::optional<std::uint32_t> small_id(core::ByteSpan bytes);

}  // namespace heapcheck::chrome::legacy::grammar
