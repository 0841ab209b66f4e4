// Encodes and decodes names between the quotes on the `strings` line. MoarVM's writer escapes quotes, except
// in names that begin with a quote, and backslashes, except in names that begin with a backslash. spec:
// mvmheap/v1.md#names Works on borrowed text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::mvmheap::v1 {

/// Appends `name` to `out` as MoarVM writes it, without the quotes around it.
void encode_name(std::string_view name, std::string& out);

/// The number of bytes that encode_name() appends.
std::size_t encoded_name_bytes(std::string_view name);

/// Decodes `text`, a name without the quotes around it, and appends the result. Returns the position of the
/// first backslash that MoarVM would not have written. This is either a backslash that does not escape
/// anything, which is kept, or a backslash before a quote at the start of the name.
std::optional<std::size_t> decode_name(std::string_view text, std::string& out);

/// Whether the text begins like the tables that follow the strings: `types: `, items, `static_frames: `. If
/// the list of items does not end within `bytes`, a few KiB of the list are enough.
bool starts_tables(core::ByteSpan bytes);

/// The number of bytes that starts_tables() examines.
inline constexpr std::size_t starts_tables_bytes = 16 * 1024;

/// Whether `name` can be written in a form that is read back unchanged. This is not possible for names that
/// contain a NUL or text that looks like the end of the strings, or for names that begin with a quote or a
/// backslash and contain text that looks like the end of a name.
bool can_hold(std::string_view name);

/// `name` in a form for which can_hold() is true: either offending characters are replaced with U+FFFD, or
/// U+FFFD is added at the front.
std::string make_holdable(std::string_view name);

}  // namespace heapcheck::mvmheap::v1
