// Names as they stand between the quotes of the `strings` line: MoarVM's writer escapes quotes and
// backslashes, but not in a name that begins with one. spec: mvmheap/v1.md#names
// Works on borrowed text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::mvmheap::v1 {

/// Appends `name` to `out` as MoarVM writes it, without the quotes around it.
void encode_name(std::string_view name, std::string& out);

/// How many bytes encode_name() appends.
std::size_t encoded_name_bytes(std::string_view name);

/// Appends what `text`, without the quotes around it, stands for. Returns the place of the first
/// backslash that escapes nothing, which is kept as it is.
std::optional<std::size_t> decode_name(std::string_view text, std::string& out);

/// Whether text begins like the tables that follow the strings: `types: `, items, `static_frames: `.
/// Of an item list that does not end in `bytes`, a few KiB will do.
bool starts_tables(core::ByteSpan bytes);

/// How many bytes starts_tables() may want to see.
inline constexpr std::size_t starts_tables_bytes = 16 * 1024;

/// Whether `name` can be written so that reading gives it back. Names that cannot: with a NUL; with text
/// that looks like the end of the strings; and names that begin with a quote or a backslash
/// and hold what looks like the end of a name.
bool can_hold(std::string_view name);

/// `name` so that can_hold() holds: what is in the way is replaced by, or put behind, U+FFFD.
std::string make_holdable(std::string_view name);

}  // namespace heapcheck::mvmheap::v1
