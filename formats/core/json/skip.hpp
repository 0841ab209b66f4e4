// Skips the inside of an array or object at memory speed: blocks of 64 bytes are checked against the whole
// grammar with bit masks, and brackets are the only tokens that are examined one by one. Anything that cannot
// be confirmed to be correct (errors, or text that is only partly visible) is left for the caller.
#pragma once

#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/json/state.hpp"

namespace heapcheck::core::json {

struct SkipOptions {
  std::size_t depth = 0;  ///< stop before the bracket that would leave this many arrays and objects open
  std::uint64_t max_depth = 0;
  bool strict_utf8 = true;
};

/// The number of bytes that are checked at once.
inline constexpr std::size_t block_bytes = 64;

enum class SkipEnd {
  bracket,  ///< the next byte is the bracket to which SkipOptions::depth refers
  bytes,    ///< less than a block remains
  unclear,  ///< the next bytes may be malformed
};

/// The bytes that were skipped by skip_blocks(). All of them have been checked, and they end between two
/// tokens.
struct Skipped {
  std::size_t byte_count = 0;
  State state = State::failed;
  SkipEnd end = SkipEnd::bytes;
};

/// Skips complete, correct blocks at the front of `bytes`, and updates `nesting`. At the start of `bytes`,
/// the document is in `state`, inside the innermost array or object of `nesting`.
[[nodiscard]] Skipped skip_blocks(ByteSpan bytes, State state, Nesting& nesting, const SkipOptions& options);

/// The bytes that were skipped by skip_objects_without(). They end with the last of `count` objects.
struct SkippedObjects {
  std::size_t byte_count = 0;
  std::size_t count = 0;
};

/// Skips elements of the innermost array of `nesting`, which does not change. `bytes` must begin with an
/// element. An element is skipped if it is a correct object, ends within the complete blocks of `bytes`, and
/// contains neither a string that is one of `letters` or `word` (up to 7 bytes) nor an escape that may be
/// part of such a string. SkipOptions::depth is ignored.
[[nodiscard]] SkippedObjects skip_objects_without(std::string_view letters, std::string_view word,
                                                  ByteSpan bytes, Nesting& nesting, SkipOptions options);

}  // namespace heapcheck::core::json
