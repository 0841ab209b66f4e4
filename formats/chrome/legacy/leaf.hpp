// Leaf parsers for runs of entries and for members of `stackFrames`, in the form that writers use. They read
// borrowed bytes without the JSON reader. Anything unusual (white space, escapes, ids from merged traces,
// other members) is left to the caller.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::legacy {

/// The values of one entry.
struct Entry {
  FrameId frame = no_stack;
  TypeId type = all_types;
  std::uint64_t size = no_value;
  std::uint64_t count = no_value;
};

/// Decoded entries to be appended to columns. Offsets are relative to the first decoded byte.
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

/// Fills `block` with entries from the front of `bytes`, up to the first entry that does not have the common
/// form. In this form, an entry has `size` and any of `count`, `bt` and `type`, each at most once and in any
/// order, with usual values. It contains no white space and is followed by a comma. Returns the number of
/// bytes that were decoded, including commas. Stops shortly before the end of `bytes`.
std::size_t decode_entries(core::ByteSpan bytes, EntryBlock& block);

struct FrameMember {
  FrameId id{};
  std::string_view name;  ///< borrowed from the bytes
  FrameId parent = empty_stack;
  /// The length from the comma before the member to its closing brace, or 0 if the member has a different
  /// form.
  std::size_t byte_count = 0;
};

/// Decodes the member at the front of `bytes`: `,"12":{"name":"main","parent":"11"}`, with or without a
/// parent.
[[nodiscard]] FrameMember decode_frame(core::ByteSpan bytes);

}  // namespace heapcheck::chrome::legacy
