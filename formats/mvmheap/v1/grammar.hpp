// The productions of spec/mvmheap/v1.md#grammar, each as a function with the same name. Each function reads
// from the front of the given bytes, and returns nothing if they do not match or end too early. Grammars
// recognise; rules judge. Owns nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1::grammar {

/// The length of a line end: a line feed, optionally preceded by a carriage return.
std::optional<std::size_t> line_end(core::ByteSpan bytes);

/// The length, including the line end, of an empty line or of a line that starts with `#`.
std::optional<std::size_t> ignored_line(core::ByteSpan bytes);

/// The head of a line.
std::optional<LineKind> line_head(core::ByteSpan bytes);

/// The number of a snapshot, which comes after `snapshot ` and before the line end.
struct SnapshotNumber {
  std::uint64_t value = 0;
  std::size_t byte_count = 0;
};
std::optional<SnapshotNumber> snapshot_number(core::ByteSpan bytes);

/// The numbers of an item, in order. There is at most one number more than in the longest valid item.
struct Item {
  std::array<std::uint64_t, max_fields + 1> fields{};
  std::size_t count = 0;
};
/// Reads all of `bytes` as one item.
std::optional<Item> item(core::ByteSpan bytes);

/// Whether `bytes` start with a complete `","`, which separates two names.
bool separator(core::ByteSpan bytes);

/// The length of the end of the strings: a quote, a bracket and the line end.
std::optional<std::size_t> strings_end(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v1::grammar
