#include "fuzz/support/mutators/mvmheap_v3_mutator.hpp"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "formats/core/codec.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "fuzz/support/cursor.hpp"

namespace heapcheck::fuzz::v3 {
namespace {

namespace format = mvmheap::v3;
using format::BlockShape;

/// Longer content is left compressed, because filling a larger buffer for each frame would take longer than
/// everything else.
constexpr std::size_t max_content = std::size_t{64} * 1024;

std::optional<Bytes> take_frame(Cursor& cursor, core::ByteView rest) {
  const std::size_t length = ::ZSTD_findFrameCompressedSize(rest.bytes.data(), rest.bytes.size());
  if (::ZSTD_isError(length) != 0) return std::nullopt;
  Bytes content(max_content);
  const std::size_t got = ::ZSTD_decompress(content.data(), content.size(), rest.bytes.data(), length);
  if (::ZSTD_isError(got) != 0) return std::nullopt;
  content.resize(got);
  cursor.take(length);
  return content;
}

std::optional<Bytes> take_bytes(Cursor& cursor, std::uint64_t length) {
  const auto taken = cursor.take(length);
  if (!taken) return std::nullopt;
  return Bytes(taken->bytes.begin(), taken->bytes.end());
}

/// Reads the content that follows the kind and the entry size of a block, and moves to the end of the block.
std::optional<Bytes> take_content(Cursor& cursor, core::ByteSpan bytes, DumpBlock& block) {
  const auto number = cursor.take_le<std::uint64_t>();
  if (!number) return std::nullopt;
  if (block.shape == BlockShape::meta) return take_bytes(cursor, *number);
  if (block.shape == BlockShape::toc) {
    if (*number > bytes.size() / format::grammar::toc_entry_bytes) return std::nullopt;
    auto entries = take_bytes(cursor, *number * format::grammar::toc_entry_bytes);
    if (entries && !cursor.take_le<std::uint64_t>()) return std::nullopt;
    return entries;
  }
  block.size = *number;
  const auto at = static_cast<std::size_t>(cursor.offset());
  return take_frame(cursor, {bytes.subspan(at), at});
}

std::optional<DumpBlock> take_block(Cursor& cursor, core::ByteSpan bytes) {
  DumpBlock block;
  block.origin.offset = cursor.offset();
  const auto raw = cursor.take(format::kind_bytes);
  if (!raw) return std::nullopt;
  block.kind = core::as_text(raw->bytes);
  const format::BlockKind kind = format::find_kind(format::grammar::kind(raw->bytes)->name());
  if (kind == format::BlockKind::unknown) return std::nullopt;
  block.shape = format::info_of(kind).shape;
  if (block.shape == BlockShape::column) block.entry_bytes = cursor.take_le<std::uint16_t>().value_or(0);
  auto content = take_content(cursor, bytes, block);
  if (!content) return std::nullopt;
  block.content = std::move(*content);
  block.origin.length = cursor.offset() - block.origin.offset;
  return block;
}

Bytes make_frame(core::ByteSpan content, const PackOptions& options) {
  if (options.compressed) {
    Bytes frame(::ZSTD_compressBound(content.size()));
    frame.resize(::ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 1));
    return frame;
  }
  Bytes frame{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x60};
  do {
    const core::ByteSpan piece = content.first(std::min(content.size(), options.largest_piece));
    content = content.subspan(piece.size());
    const std::size_t head = piece.size() << 3U | (content.empty() ? 1U : 0U);
    for (const unsigned shift : {0U, 8U, 16U}) frame.push_back(static_cast<std::uint8_t>(head >> shift));
    append(frame, piece);
  } while (!content.empty());
  return frame;
}

Bytes pack_block(const DumpBlock& block, std::uint64_t offset, const PackOptions& options) {
  Bytes out;
  append(out, core::as_bytes(block.kind));
  if (block.shape == BlockShape::column) core::encode_le(block.entry_bytes, out);
  std::uint64_t number = block.size;
  if (block.shape == BlockShape::meta) number += block.content.size();
  if (block.shape == BlockShape::toc) number += block.content.size() / format::grammar::toc_entry_bytes;
  core::encode_le(number, out);
  const bool is_frame = block.shape == BlockShape::column || block.shape == BlockShape::strings;
  append(out, is_frame ? make_frame(block.content, options) : block.content);
  if (block.shape == BlockShape::toc) core::encode_le(offset, out);
  return out;
}

/// Updates the entries of a table of contents for the new places of their blocks.
void fix_up_entries(Bytes& entries, const std::map<std::uint64_t, std::uint64_t>& moved) {
  Bytes fixed;
  for (std::size_t at = 0; at + format::grammar::toc_entry_bytes <= entries.size();
       at += format::grammar::toc_entry_bytes) {
    append(fixed, core::ByteSpan(entries).subspan(at, format::kind_bytes));
    for (const std::size_t field : {format::kind_bytes, format::kind_bytes + sizeof(std::uint64_t)}) {
      const auto value = core::decode_le<std::uint64_t>(entries.data() + at + field);
      // The end in an entry is the end of the block, or 8 bytes before it for a table of contents.
      const auto exact = moved.find(value);
      const auto table_end = moved.find(value + sizeof(std::uint64_t));
      const std::uint64_t now =
          exact != moved.end() ? exact->second : (table_end != moved.end() ? table_end->second - 8 : value);
      core::encode_le(now, fixed);
    }
  }
  std::ranges::copy(fixed, entries.begin());
}

/// Maps the old start and end of each block to the new ones.
std::map<std::uint64_t, std::uint64_t> find_moves(const Dump& dump, const PackOptions& options) {
  std::map<std::uint64_t, std::uint64_t> moved;
  std::uint64_t offset = format::magic.size();
  for (const DumpBlock& block : dump.blocks) {
    moved[block.origin.offset] = offset;
    offset += block.kind.empty() ? block.content.size() : pack_block(block, 0, options).size();
    moved[block.origin.end()] = offset;
  }
  return moved;
}

/// Makes random changes to a dump.
class Mutation {
 public:
  explicit Mutation(RandomChoices& choices) : choices_(&choices) {}

  void apply(Dump& dump) {
    if (dump.blocks.empty()) return;
    DumpBlock& block = dump.blocks[below(dump.blocks.size())];
    switch (below(14)) {
      case 0:
        return change_kind(block);
      case 1:
        block.entry_bytes = static_cast<std::uint16_t>(std::array{1U, 2U, 4U, 8U}[below(4)]);
        return;
      case 2:
        block.size += below(2) == 0 ? 1 : below(1000);
        return;
      case 3:
        return change_order(dump.blocks, *choices_);
      default:
        return change_content(block);
    }
  }

 private:
  std::size_t below(std::size_t count) { return choices_->below(count); }

  void change_kind(DumpBlock& block) {
    if (block.kind.empty() || below(4) == 0) {
      block.kind.resize(format::kind_bytes, '\0');
      block.kind[below(format::kind_bytes)] = static_cast<char>(below(256));
    } else {
      block.kind = format::kinds[below(format::kind_count)].name;
      block.kind.resize(format::kind_bytes, '\0');
    }
  }

  void change_content(DumpBlock& block) {
    if (block.shape == BlockShape::column && below(4) != 0)
      return change_value(block.content, block.entry_bytes, 0, block.entry_bytes);
    if (block.shape == BlockShape::toc && below(4) != 0)
      return change_value(block.content, format::grammar::toc_entry_bytes,
                          format::kind_bytes * (1 + below(2)), 8);
    change_bytes(block.content);
  }

  /// Changes the integer of `length` bytes at `field` in one of the rows of `row_bytes` bytes, or a whole
  /// row.
  void change_value(Bytes& content, std::size_t row_bytes, std::size_t field, std::size_t length) {
    if (row_bytes == 0 || content.size() < row_bytes) return change_bytes(content);
    const std::size_t row = below(content.size() / row_bytes) * row_bytes;
    const auto start = content.begin() + static_cast<std::ptrdiff_t>(row);
    const auto end = start + static_cast<std::ptrdiff_t>(row_bytes);
    if (below(6) == 0) {
      content.erase(start, end);
      return;
    }
    if (below(6) == 0) {
      const Bytes copy(start, end);
      content.insert(start, copy.begin(), copy.end());
      return;
    }
    Bytes value(start + static_cast<std::ptrdiff_t>(field),
                start + static_cast<std::ptrdiff_t>(field + length));
    value.resize(sizeof(std::uint64_t));
    const auto old = core::decode_le<std::uint64_t>(value.data());
    value.clear();
    core::encode_le(choose_near(*choices_, old), value);
    std::copy_n(value.begin(), std::min(length, value.size()), start + static_cast<std::ptrdiff_t>(field));
  }

  RandomChoices* choices_;
};

}  // namespace

Dump unpack_dump(core::ByteSpan bytes) {
  Dump dump;
  Cursor cursor({bytes, 0});
  cursor.take(format::magic.size());
  while (cursor.remaining() != 0) {
    const std::uint64_t start = cursor.offset();
    auto block = take_block(cursor, bytes);
    if (!block) {
      const core::ByteSpan rest = bytes.subspan(static_cast<std::size_t>(start));
      DumpBlock last;
      last.content.assign(rest.begin(), rest.end());
      last.origin = {start, rest.size()};
      dump.blocks.push_back(std::move(last));
      break;
    }
    dump.blocks.push_back(std::move(*block));
  }
  return dump;
}

Bytes pack_dump(const Dump& dump, const PackOptions& options) {
  const auto moved = find_moves(dump, options);
  Bytes out;
  append(out, core::as_bytes(format::magic));
  for (DumpBlock block : dump.blocks) {
    if (block.shape == BlockShape::toc && options.fix_up_offsets) fix_up_entries(block.content, moved);
    append(out, block.kind.empty() ? block.content : pack_block(block, out.size(), options));
  }
  return out;
}

Bytes mutate(core::ByteSpan bytes, RandomChoices& choices) {
  Dump dump = unpack_dump(bytes);
  Mutation mutation(choices);
  for (std::size_t i = 0, changes = 1 + choices.below(3); i < changes; ++i) mutation.apply(dump);
  PackOptions options{.compressed = choices.below(4) == 0, .fix_up_offsets = choices.below(2) == 0};
  if (choices.below(8) == 0) options.largest_piece = 1 + choices.below(30);
  return pack_dump(dump, options);
}

}  // namespace heapcheck::fuzz::v3
