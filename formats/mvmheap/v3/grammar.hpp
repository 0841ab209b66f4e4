// The productions of spec/mvmheap/v3.md#grammar, each as a function with the same name. Each function reads
// from the front of the given bytes, and returns nothing if they do not match or end too early. Grammars
// recognise; rules judge. Owns nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3::grammar {

/// A kind in the file: 8 bytes, padded with NUL bytes.
struct RawKind {
  std::array<char, kind_bytes> bytes{};

  /// The name before the first NUL, or all eight bytes if there is none.
  [[nodiscard]] std::string_view name() const {
    const std::string_view all(bytes.data(), bytes.size());
    return all.substr(0, all.find('\0'));
  }
  /// Whether only NUL bytes follow the name.
  [[nodiscard]] bool is_padded() const {
    return std::string_view(bytes.data(), bytes.size()).find_first_not_of('\0', name().size()) ==
           std::string_view::npos;
  }
  friend bool operator==(const RawKind&, const RawKind&) = default;
};

struct ColumnHead {
  std::uint16_t entry_bytes = 0;
  std::uint64_t size = 0;  ///< the number of compressed bytes; 0 if unknown
};

struct TocEntry {
  RawKind kind;
  std::uint64_t start = 0;  ///< the offset of the block's first byte
  std::uint64_t end = 0;    ///< the offset after its last byte; for a toc, the offset of its closing offset
  friend bool operator==(const TocEntry&, const TocEntry&) = default;
};
inline constexpr std::size_t toc_entry_bytes = kind_bytes + 8 + 8;

/// Whether the bytes begin with the magic of version 3.
bool magic(core::ByteSpan bytes);
std::optional<RawKind> kind(core::ByteSpan bytes);
/// The u64 after the kind of a meta or strings block.
std::optional<std::uint64_t> block_size(core::ByteSpan bytes);
std::optional<ColumnHead> column_head(core::ByteSpan bytes);
std::optional<std::uint64_t> toc_count(core::ByteSpan bytes);
std::optional<TocEntry> toc_entry(core::ByteSpan bytes);
std::optional<std::uint64_t> toc_start(core::ByteSpan bytes);
/// The u32 in front of each string in a string heap.
std::optional<std::uint32_t> string_length(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v3::grammar
