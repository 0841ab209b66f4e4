#include "formats/mvmheap/v3/recognise.hpp"

#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/mvmheap/first_bytes.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;

/// If the count in a table of contents is wrong, its closing offset is looked for after at most this number
/// of entries.
constexpr std::uint64_t most_searched_entries = 1024;
constexpr std::uint32_t zstd_magic = 0xFD2FB528;

bool has_frame_at(ByteSpan bytes, std::size_t position) {
  return bytes.size() >= position + sizeof(zstd_magic) &&
         core::decode_le<std::uint32_t>(bytes.data() + position) == zstd_magic;
}

/// Whether the closing offset of a table of contents at `offset` comes after `count` entries.
bool closes_after(std::uint64_t count, ByteSpan bytes, std::uint64_t offset) {
  constexpr std::size_t around = head_bytes(BlockShape::toc) + sizeof(std::uint64_t);
  if (bytes.size() < around || count > (bytes.size() - around) / grammar::toc_entry_bytes) return false;
  const std::size_t at =
      head_bytes(BlockShape::toc) + static_cast<std::size_t>(count) * grammar::toc_entry_bytes;
  return core::decode_le<std::uint64_t>(bytes.data() + at) == offset;
}

/// Whether entry `index` of a table of contents really is an entry, judging by its kind and range.
bool is_entry(ByteSpan bytes, std::uint64_t index) {
  const std::uint64_t at = head_bytes(BlockShape::toc) + index * grammar::toc_entry_bytes;
  const auto entry =
      grammar::toc_entry(bytes.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(at, bytes.size()))));
  return entry && find_kind(entry->kind.name()) != BlockKind::unknown && entry->start < entry->end;
}

/// Whether `bytes` are a table of contents, judging only by the entries. If bytes were lost or added before
/// the table, its closing offset does not match its start.
bool is_moved_toc(ByteSpan bytes) {
  const auto count = grammar::toc_count(bytes.subspan(std::min(bytes.size(), kind_bytes)));
  const std::size_t head = head_bytes(BlockShape::toc);
  if (!count || bytes.size() < head + sizeof(std::uint64_t)) return false;
  if (*count > (bytes.size() - head - sizeof(std::uint64_t)) / grammar::toc_entry_bytes) return false;
  for (std::size_t i = 0; i < *count; ++i) {
    if (!is_entry(bytes, i)) return false;
  }
  return true;
}

bool has_shape(BlockShape shape, ByteSpan bytes, std::uint64_t offset) {
  const std::size_t content = head_bytes(shape);
  switch (shape) {
    case BlockShape::meta:
      return bytes.size() > content && bytes[content] == '{';
    case BlockShape::column:
    case BlockShape::strings:
      return has_frame_at(bytes, content);
    case BlockShape::toc:
      return find_toc_count(bytes, offset).has_value() || is_moved_toc(bytes);
  }
  return false;
}

/// Whether `bytes` are a table of contents with a damaged kind. Its count and its first entry must be valid,
/// because the closing offset alone could also be part of an entry in a later table.
bool looks_like_toc(ByteSpan bytes, std::uint64_t offset) {
  const auto count = grammar::toc_count(bytes.subspan(std::min(bytes.size(), kind_bytes)));
  if (!count || !closes_after(*count, bytes, offset)) return false;
  if (*count == 0) return true;
  const auto first = grammar::toc_entry(bytes.subspan(head_bytes(BlockShape::toc)));
  return first && find_kind(first->kind.name()) != BlockKind::unknown;
}

std::optional<BlockShape> find_shape(BlockKind named, ByteSpan bytes, std::uint64_t offset) {
  if (named != BlockKind::unknown && has_shape(info_of(named).shape, bytes, offset))
    return info_of(named).shape;
  for (const BlockShape shape : {BlockShape::column, BlockShape::strings, BlockShape::meta}) {
    if (has_shape(shape, bytes, offset)) return shape;
  }
  return looks_like_toc(bytes, offset) ? std::optional(BlockShape::toc) : std::nullopt;
}

constexpr FirstBytes first_bytes(kinds, [](const KindInfo& info) { return info.name; });

/// Whether `bytes` begin with a block of a known kind whose content has the right shape.
bool is_block(ByteSpan bytes, std::uint64_t offset) {
  const auto raw = grammar::kind(bytes);
  const BlockKind kind = raw ? find_kind(raw->name()) : BlockKind::unknown;
  if (kind == BlockKind::unknown) return false;
  if (kind != BlockKind::toc) return has_shape(info_of(kind).shape, bytes, offset);
  return closes_after(grammar::toc_count(bytes.subspan(kind_bytes)).value_or(0), bytes, offset) ||
         is_moved_toc(bytes);
}

/// The position of the first block that starts within the first `places` bytes of `bytes`.
std::optional<std::size_t> find_block(ByteSpan bytes, std::size_t places, std::uint64_t offset) {
  for (std::size_t i = first_bytes.find(bytes, 0, places); i < places;
       i = first_bytes.find(bytes, i + 1, places)) {
    if (is_block(bytes.subspan(i), offset + i)) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> find_toc_count(ByteSpan bytes, std::uint64_t offset) {
  if (closes_after(grammar::toc_count(bytes.subspan(std::min(bytes.size(), kind_bytes))).value_or(0), bytes,
                   offset)) {
    return grammar::toc_count(bytes.subspan(kind_bytes));
  }
  for (std::uint64_t count = 0; count < most_searched_entries; ++count) {
    if (closes_after(count, bytes, offset)) return count;
    if (!is_entry(bytes, count)) break;
  }
  return std::nullopt;
}

Recognised recognise(ByteSpan bytes, std::uint64_t offset) {
  Recognised result;
  const auto raw = grammar::kind(bytes);
  if (!raw) return result;
  result.raw = *raw;
  result.named = find_kind(raw->name());
  result.shape = find_shape(result.named, bytes, offset);
  return result;
}

bool is_torn_toc(ByteSpan bytes, std::uint64_t offset, bool moved, bool at_input_end) {
  constexpr std::size_t around = head_bytes(BlockShape::toc) + sizeof(std::uint64_t);
  if (bytes.size() < around || find_toc_count(bytes, offset)) return false;
  if (moved && is_moved_toc(bytes)) return false;
  const std::uint64_t count = grammar::toc_count(bytes.subspan(kind_bytes)).value_or(0);
  if (count > (bytes.size() - around) / grammar::toc_entry_bytes)
    return find_block(bytes.subspan(1), bytes.size() - 1, offset + 1).has_value();
  const std::size_t end = around + static_cast<std::size_t>(count) * grammar::toc_entry_bytes;
  if (end == bytes.size()) return !at_input_end;
  return !recognise(bytes.subspan(end), offset + end).fits();
}

bool holds_block(ByteSpan bytes, std::uint64_t offset) {
  return find_block(bytes, bytes.size(), offset).has_value();
}

bool find_next_block(core::Window& window) {
  constexpr std::size_t margin = 64;
  for (;;) {
    const ByteSpan bytes = window.look(far_bytes);
    if (bytes.empty()) return false;
    const bool is_last = bytes.size() < far_bytes;
    const std::size_t places = is_last ? bytes.size() : bytes.size() - std::min(bytes.size(), margin);
    if (const auto found = find_block(bytes, places, window.offset())) {
      window.consume(*found);
      return true;
    }
    window.skip_in_search(std::max<std::size_t>(places, 1));
  }
}

}  // namespace heapcheck::mvmheap::v3
