// Passing over the inside of an array or object at the speed of memory: blocks of 64 bytes are checked
// against the whole grammar by bit masks, without looking at single tokens but brackets. What it cannot
// tell to be right (errors, what the bytes do not show whole) it leaves, untouched, to the caller.
#pragma once

#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/json/nesting.hpp"
#include "formats/core/json/state.hpp"

namespace heapcheck::core::json {

struct SkipOptions {
  std::size_t depth = 0;  ///< stop in front of the bracket that would leave so many open
  std::uint64_t max_depth = 0;
  bool strict_utf8 = true;
};

/// What is checked at once.
inline constexpr std::size_t block_bytes = 64;

enum class SkipEnd {
  bracket,  ///< the next byte is the bracket that SkipOptions::depth asks for
  bytes,    ///< less than a block is left
  unclear,  ///< what comes next may be wrong
};

/// How far skip_blocks() came: to a place between two tokens, all before it checked.
struct Skipped {
  std::size_t byte_count = 0;
  State state = State::failed;
  SkipEnd end = SkipEnd::bytes;
};

/// Passes over `bytes`, which go on from `state` inside the innermost array or object of `nesting`, as
/// far as whole blocks are right, and takes `nesting` along.
[[nodiscard]] Skipped skip_blocks(ByteSpan bytes, State state, Nesting& nesting, const SkipOptions& options);

/// How far skip_objects_without() came: behind the last of so many objects.
struct SkippedObjects {
  std::size_t byte_count = 0;
  std::size_t count = 0;
};

/// Passes over elements of the innermost array of `nesting`, which stays as it is. `bytes` begin with an
/// element; those are passed over that are right, objects, end in whole blocks of `bytes`, and have neither
/// a string that is one of `letters` or is `word`, of up to 7 bytes, nor an escape that may be in one.
/// SkipOptions::depth does not count.
[[nodiscard]] SkippedObjects skip_objects_without(std::string_view letters, std::string_view word,
                                                  ByteSpan bytes, Nesting& nesting, SkipOptions options);

}  // namespace heapcheck::core::json
