#include "formats/mvmheap/v2/entries.hpp"

#include <algorithm>
#include <array>

#include "formats/core/codec.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;
using core::decode_le;

constexpr std::size_t block_entries = 512;

/// The properties of a width byte, in a form that needs no branches.
struct WidthCode {
  std::uint8_t byte_count = 0;  // the size of the index and of the target; 0 for an invalid width
  std::uint64_t least = 0;      // the smallest value that needs this width
  std::uint64_t mask = 0;
};

constexpr std::array<WidthCode, 256> make_width_codes() {
  constexpr unsigned bits_per_byte = 8;
  std::array<WidthCode, 256> codes{};
  std::uint64_t least = 0;
  for (const Width& width : widths) {
    const std::uint64_t mask =
        width.byte_count == 8 ? UINT64_MAX : (std::uint64_t{1} << (width.byte_count * bits_per_byte)) - 1;
    codes[width.code] = {width.byte_count, least, mask};
    least = mask;
  }
  return codes;
}
constexpr std::array<WidthCode, 256> width_codes = make_width_codes();

/// The sizes of references, with one byte for each code modulo 8.
constexpr std::uint64_t make_reference_sizes() {
  std::uint64_t sizes = 0;
  for (const Width& width : widths)
    sizes |= std::uint64_t{reference_bytes(width.byte_count)} << (width.code % 8 * 8);
  return sizes;
}

/// The size of a reference with a valid width byte. The next reference cannot be read until this size is
/// known, so it is computed rather than looked up in a table, which would take longer.
constexpr std::size_t find_reference_size(std::uint8_t code) {
  constexpr std::uint64_t sizes = make_reference_sizes();
  return static_cast<std::uint8_t>(sizes >> (code % 8 * 8));
}

/// Appends a field of each collectable in `entries`, which contains at most block_entries collectables.
template <class Field, class Value>
void append_field(ByteSpan entries, std::size_t field_offset, Column<Value>& column) {
  std::array<std::uint64_t, block_entries> values;
  const std::size_t count = entries.size() / collectable_bytes;
  for (std::size_t i = 0; i < count; ++i)
    values[i] = decode_le<Field>(entries.data() + i * collectable_bytes + field_offset);
  column.append(std::span(values).first(count));
}

/// References that were decoded together, and facts about all references decoded so far.
struct ReferenceBlock {
  const std::uint8_t* at = nullptr;  ///< the end of the last reference
  std::size_t count = 0;
  std::uint64_t wide = 0;  ///< the number of references so far that are wider than necessary
  std::uint64_t odd = 0;   ///< not 0 if a kind or an index so far is too large
  std::array<std::uint64_t, ReferencePlaces::stride> descriptions;
  std::array<std::uint64_t, ReferencePlaces::stride> targets;
};

/// Decodes up to `wanted` references from `block.at` to `end`. Stops before a reference that is incomplete or
/// has an invalid width.
void fill(ReferenceBlock& block, const std::uint8_t* const end, std::uint64_t wanted) {
  std::size_t count = 0;
  const std::uint8_t* at = block.at;
  for (; count < wanted; ++count) {
    std::array<std::uint8_t, most_reference_bytes> carry{};
    const std::uint8_t* entry = at;
    // Fields are read eight bytes at a time, so the last references are copied to where this is possible.
    if (static_cast<std::size_t>(end - at) < most_reference_bytes) {
      std::copy(at, end, carry.begin());
      entry = carry.data();
    }
    const WidthCode code = width_codes[entry[0]];
    const std::size_t size = find_reference_size(entry[0]);
    if (code.byte_count == 0 || static_cast<std::size_t>(end - at) < size) break;
    const std::uint64_t kind = entry[1];
    const std::uint64_t index = decode_le<std::uint64_t>(entry + 2) & code.mask;
    const std::uint64_t target = decode_le<std::uint64_t>(entry + 2 + code.byte_count) & code.mask;
    block.wide += static_cast<std::uint64_t>(std::max(index, target) < code.least);
    block.odd |= (kind >> kind_bits) | (index >> (64 - kind_bits));
    block.descriptions[count] = index << kind_bits | (kind & 3U);
    block.targets[count] = target;
    at += size;
  }
  block.at = at;
  block.count = count;
}

}  // namespace

void decode_collectables(ByteSpan entries, Collectables& collectables) {
  while (!entries.empty()) {
    const ByteSpan block = entries.first(std::min(entries.size(), block_entries * collectable_bytes));
    append_field<std::uint16_t>(block, collectable_offset::kind, collectables.kind);
    append_field<std::uint32_t>(block, collectable_offset::type_or_frame_index,
                                collectables.type_or_frame_index);
    append_field<std::uint16_t>(block, collectable_offset::size, collectables.size);
    append_field<std::uint64_t>(block, collectable_offset::unmanaged_size, collectables.unmanaged_size);
    append_field<std::uint64_t>(block, collectable_offset::refs_start, collectables.refs_start);
    append_field<std::uint32_t>(block, collectable_offset::num_refs, collectables.num_refs);
    entries = entries.subspan(block.size());
  }
}

DecodedReferences decode_references(ByteSpan bytes, std::uint64_t offset, std::uint64_t most,
                                    References& references, ReferencePlaces& places) {
  DecodedReferences decoded;
  ReferenceBlock block;
  block.at = bytes.data();
  bool goes_on = true;
  while (goes_on && decoded.count < most) {
    const std::uint64_t done = references.count();
    const std::uint64_t in_block = done % ReferencePlaces::stride;
    if (in_block == 0) places.offsets.push_back(offset + decoded.byte_count);
    if (done == places.asked) places.answer = offset + decoded.byte_count;
    std::uint64_t wanted = std::min(ReferencePlaces::stride - in_block, most - decoded.count);
    // A block ends before the requested reference, so that its offset is known.
    if (done < places.asked) wanted = std::min(wanted, places.asked - done);
    fill(block, bytes.data() + bytes.size(), wanted);
    goes_on = block.count == wanted;
    if (block.count == 0 && in_block == 0) places.offsets.pop_back();
    references.description.append(std::span(block.descriptions).first(block.count));
    references.target.append(std::span(block.targets).first(block.count));
    references.notes.update(references.description);
    decoded.count += block.count;
    decoded.byte_count = static_cast<std::size_t>(block.at - bytes.data());
  }
  decoded.wide = block.wide;
  decoded.is_odd = block.odd != 0;
  return decoded;
}

std::uint64_t count_owned(const Collectables& collectables) {
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < collectables.num_refs.count(); ++i) total += collectables.num_refs[i];
  return total;
}

bool is_reference(ByteSpan bytes) {
  if (bytes.size() < 2) return false;
  const std::size_t width = width_bytes(bytes[0]);
  return width != 0 && bytes[1] <= static_cast<std::uint8_t>(ReferenceKind::string) &&
         bytes.size() >= reference_bytes(width);
}

}  // namespace heapcheck::mvmheap::v2
