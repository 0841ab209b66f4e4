// Text of a file inside a message: short, printable, and safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::core {

/// `text` cut to about `max_bytes` at a character, with control characters and what is no UTF-8 as
/// \\xNN.
std::string make_excerpt(std::string_view text, std::size_t max_bytes = 40);

}  // namespace heapcheck::core
