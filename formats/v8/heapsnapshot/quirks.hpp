// Deviations of released writers that the reader tolerates. Each deviation is reported by its own rule.
#pragma once

#include <string_view>

#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// V8 5.1 to 6.2 (Node.js 6.9 to 9) gives symbols type 12, but names only types 0 to 11. If the first node of
/// type 12 is such a symbol, adds the missing name to the schema and sets Schema::omits_symbol. spec:
/// v8/heapsnapshot.md#quirks
void add_symbol_type(Snapshot& snapshot);

/// Whether the file shows V8's mark: its first string is `<dummy>`, which no other engine writes. Programs
/// that change a file of V8 leave it there. spec: v8/heapsnapshot.md#strings
[[nodiscard]] bool has_v8_mark(const Snapshot& snapshot);

/// Whether the header has counts as in Hermes: the numbers of nodes and edges are 0 although there are nodes,
/// and the first string is not V8's. spec: v8/heapsnapshot.md#header
[[nodiscard]] bool has_zero_counts(const Snapshot& snapshot);

/// Sets such counts to the numbers of nodes and edges, as V8 writes them.
void correct_zero_counts(Snapshot& snapshot);

/// Whether there are calls of functions that are not in the file, all of which V8 recorded while it was
/// writing the file: the header counts fewer functions than the file has, and the calls have larger ids than
/// those that allocated nodes. spec: v8/heapsnapshot.md#trace-tree
[[nodiscard]] bool has_late_functions(const Snapshot& snapshot);

/// The number of bytes before the first line that begins with `{`. Such bytes may be, for example, a message
/// from the runtime that was redirected to the same file. Returns 0 if the text begins with `{` or there is
/// no such line. spec: v8/heapsnapshot.md#document
[[nodiscard]] std::size_t find_line_of_document(core::ByteSpan first_bytes);
/// The number of bytes that are searched for that line.
inline constexpr std::size_t most_lines_before = 4096;

/// Whether V8 13.6 and later versions write a number between 2^31 and 2^32 - 1 in that column as a negative
/// number. spec: v8/heapsnapshot.md#quirks
[[nodiscard]] bool may_wrap(Section section, std::string_view field);
/// Whether this applies to any column of the section.
[[nodiscard]] bool may_wrap(Section section);

}  // namespace heapcheck::v8::heapsnapshot
