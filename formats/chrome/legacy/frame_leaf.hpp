// A leaf parser for members of `stackFrames` in the form that writers use; reads borrowed bytes without the
// JSON reader. Anything unusual (white space, escapes, ids of merged traces, other members) is left to the
// caller.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::legacy {

struct FrameMember {
  FrameId id{};
  std::string_view name;  ///< borrowed from the bytes
  FrameId parent = empty_stack;
  std::size_t byte_count =
      0;  ///< from the comma before the member to its closing brace; 0 if it has a different form
};

/// Decodes the member at the front of `bytes`: `,"12":{"name":"main","parent":"11"}`, with or without a
/// parent.
[[nodiscard]] FrameMember decode_frame(core::ByteSpan bytes);

}  // namespace heapcheck::chrome::legacy
