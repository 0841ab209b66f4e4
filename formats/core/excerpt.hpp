// Text of a file inside a message: short, printable, and safe for a terminal. Control characters and bytes
// that are not UTF-8 are shown as \\xNN.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// `text`, or, if it would take up more than `max_bytes`, its beginning, its end and its length: `abc...xyz
/// (1234 bytes)`. Together, the two parts take up about `max_bytes`.
std::string make_excerpt(std::string_view text, std::size_t max_bytes = 40);

/// `text`, or, if it would take up more than `max_bytes`, its beginning and its end with `...` in between,
/// which together take up at most `max_bytes`.
std::string shorten(std::string_view text, std::size_t max_bytes);

/// About the first `max_bytes` of `text`, followed by `...` if there is more.
std::string make_opening(std::string_view text, std::size_t max_bytes = 40);

}  // namespace heapcheck::core
