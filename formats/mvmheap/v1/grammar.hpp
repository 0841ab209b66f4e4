// The productions of spec/mvmheap/v1.md#grammar, one function each, with the production's name.
// Each reads at the front of the bytes it is given and is empty where they do not match or end.
// Grammars recognise; rules judge. Nothing is owned.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1::grammar {

/// The bytes that end a line: a line feed, or a carriage return before it.
std::optional<std::size_t> line_end(core::ByteSpan bytes);

/// An empty line, or one that starts with `#`: how many bytes it has with its end.
std::optional<std::size_t> ignored_line(core::ByteSpan bytes);

/// What a line begins with.
std::optional<LineKind> line_head(core::ByteSpan bytes);

/// The number of a snapshot, behind `snapshot ` and before the end of the line.
struct SnapshotNumber {
  std::uint64_t value = 0;
  std::size_t byte_count = 0;
};
std::optional<SnapshotNumber> snapshot_number(core::ByteSpan bytes);

/// The numbers of an item, as many as there are; at most one more than any item has.
struct Item {
  std::array<std::uint64_t, max_fields + 1> fields{};
  std::size_t count = 0;
};
/// All of `bytes` as one item.
std::optional<Item> item(core::ByteSpan bytes);

/// What stands between the quotes of two names: `","` whole.
bool separator(core::ByteSpan bytes);

/// What ends the strings: a quote, a bracket and the end of the line.
std::optional<std::size_t> strings_end(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v1::grammar
