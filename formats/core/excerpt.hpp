// Text of a file inside a message: short, printable, and safe for a terminal. Control characters and bytes
// that are not UTF-8 are shown as \\xNN.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// `text`, or if it would take more than `max_bytes`, its beginning and its end with its length:
/// `abc...xyz (1234 bytes)`. The two parts have about `max_bytes` together.
std::string make_excerpt(std::string_view text, std::size_t max_bytes = 40);

/// `text`, or if it would take more than `max_bytes`, its beginning and its end with `...` in between, in
/// at most `max_bytes` together.
std::string shorten(std::string_view text, std::size_t max_bytes);

/// The beginning of `text`, about `max_bytes` of it, followed by `...` if that is not all.
std::string make_opening(std::string_view text, std::size_t max_bytes = 40);

}  // namespace heapcheck::core
