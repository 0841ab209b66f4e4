// Skips the inside of an array or object at the speed of memory: blocks of 64 bytes are checked against the
// whole grammar with bit masks, and the only single tokens looked at are brackets. Anything that cannot be
// confirmed as correct (errors, or text that is only partly visible) is left untouched for the caller.
#pragma once

#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/json/nesting.hpp"
#include "formats/core/json/state.hpp"

namespace heapcheck::core::json {

struct SkipOptions {
  std::size_t depth = 0;  ///< stop before the bracket that would leave this many open
  std::uint64_t max_depth = 0;
  bool strict_utf8 = true;
};

/// The number of bytes checked at once.
inline constexpr std::size_t block_bytes = 64;

enum class SkipEnd {
  bracket,  ///< the next byte is the bracket that SkipOptions::depth refers to
  bytes,    ///< less than a block is left
  unclear,  ///< what comes next may be malformed
};

/// How far skip_blocks() got: to a position between two tokens, with everything before it checked.
struct Skipped {
  std::size_t byte_count = 0;
  State state = State::failed;
  SkipEnd end = SkipEnd::bytes;
};

/// Skips as much of `bytes` as consists of whole, correct blocks, and updates `nesting`. `bytes` continue
/// from `state` inside the innermost array or object of `nesting`.
[[nodiscard]] Skipped skip_blocks(ByteSpan bytes, State state, Nesting& nesting, const SkipOptions& options);

/// How far skip_objects_without() got: to the end of the last of `count` objects.
struct SkippedObjects {
  std::size_t byte_count = 0;
  std::size_t count = 0;
};

/// Skips elements of the innermost array of `nesting`, which does not change. `bytes` begin with an element.
/// Elements are skipped if they are correct, are objects, end within whole blocks of `bytes`, and contain
/// neither a string that is one of `letters` or is `word` (up to 7 bytes) nor an escape that may be part of
/// one. SkipOptions::depth is ignored.
[[nodiscard]] SkippedObjects skip_objects_without(std::string_view letters, std::string_view word,
                                                  ByteSpan bytes, Nesting& nesting, SkipOptions options);

}  // namespace heapcheck::core::json
