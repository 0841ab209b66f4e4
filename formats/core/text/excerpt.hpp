// Prepares text from a file for use in a message: short, printable, and without any effect on a terminal, a
// CI system or the order of the text around it. Characters that could have an effect, and bytes that are not
// UTF-8, are shown as \\xNN. So is the first colon of a `::` with nothing but spaces before it, because
// GitHub's runner interprets a line that begins with `::` as a command.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// The length in bytes of the character at the front of `text` if a report may show it unchanged. Returns 0
/// if it is not UTF-8, a control character (C0, DEL, C1), a line or paragraph separator, invisible
/// (zero-width and bidirectional controls, tags, fillers), or the first of two `#`: `##[` and `##vso[` are
/// commands of CI systems anywhere on a line.
std::size_t count_harmless(std::string_view text);

/// The path of a file in the form used in reports, which can be passed to a program as an argument. A path
/// that begins with `-` or `:` gets a leading `./`. `-` by itself means standard input and is not changed.
std::string make_safe_path(std::string_view path);

/// A path as shown in the text of a report: safe, in full, and on one line.
std::string show_path(std::string_view path);

/// `text` or, if it would take up more than `max_bytes`, its beginning, its end and its length: `abc...xyz
/// (1234 bytes)`. Together, the two parts take up about `max_bytes`.
std::string make_excerpt(std::string_view text, std::size_t max_bytes = 40);

/// `text` or, if it would take up more than `max_bytes`, its beginning and its end with `...` in between.
/// Together, these take up at most `max_bytes`.
std::string shorten(std::string_view text, std::size_t max_bytes);

/// About the first `max_bytes` of `text`, followed by `...` if there is more.
std::string make_opening(std::string_view text, std::size_t max_bytes = 40);

}  // namespace heapcheck::core
