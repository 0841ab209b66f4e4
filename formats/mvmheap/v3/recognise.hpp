// Recognises what is at a place in a version 3 file: the kind that is written there, and what the bytes after
// it look like. A damaged kind does not hide a block, and a name that occurs by chance does not mislead the
// search for the next block.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

/// How far ahead to look for the end of a table of contents or of metadata.
inline constexpr std::size_t far_bytes = core::Window::default_capacity;

struct Recognised {
  grammar::RawKind raw;
  BlockKind named = BlockKind::unknown;  ///< according to the kind
  std::optional<BlockShape> shape;       ///< according to the content
  /// Whether kind and content agree.
  [[nodiscard]] bool fits() const {
    return named != BlockKind::unknown && shape && info_of(named).shape == *shape;
  }
};

/// Recognises what is at the front of `bytes`, whose first byte is at `offset` in the file. With fewer bytes
/// (64 are enough for everything except tables of contents) less is recognised, but never more by mistake.
Recognised recognise(core::ByteSpan bytes, std::uint64_t offset);

/// The number of entries before the closing offset of the table of contents at the front of `bytes`; empty if
/// no closing offset equals `offset`.
std::optional<std::uint64_t> find_toc_count(core::ByteSpan bytes, std::uint64_t offset);

/// Whether the table of contents at the front of `bytes` has lost or gained bytes, so that neither its
/// closing offset nor a block after its last entry shows where it ends. `moved` says that offsets are
/// unreliable, `at_input_end` that the input ends with `bytes`.
bool is_torn_toc(core::ByteSpan bytes, std::uint64_t offset, bool moved, bool at_input_end);

/// Moves `window` to the next block whose kind and content agree, or to its end. Returns whether there is
/// one.
bool find_next_block(core::Window& window);

}  // namespace heapcheck::mvmheap::v3
