// The leaf for entries in bulk: runs of the form that writers give them, read by hand from borrowed bytes.
// Whatever is unusual (blanks, escapes, ids of merged traces, other members) is left to the caller.
#pragma once

#include <array>
#include <cstdint>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::legacy {

/// Entries on their way into columns; places are counted from the bytes that were given.
struct EntryBlock {
  static constexpr std::size_t capacity = 512;

  std::size_t count = 0;
  std::array<FrameId, capacity> frame;
  std::array<TypeId, capacity> type;
  std::array<std::uint64_t, capacity> size;
  std::array<std::uint64_t, capacity> value_count;
  std::array<std::uint32_t, capacity> at;
  std::array<std::uint16_t, capacity> length;
};

/// Fills `block` from the front of `bytes` with entries as long as each has `size` and any of `count`, `bt`
/// and `type`, each once, in any order, without blanks, with values of the common form, and a comma
/// behind it. Returns how many bytes it took, commas included. Stops some way before the end of `bytes`.
std::size_t decode_entries(core::ByteSpan bytes, EntryBlock& block);

}  // namespace heapcheck::chrome::legacy
