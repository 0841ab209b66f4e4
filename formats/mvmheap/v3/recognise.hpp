// Recognises a block in a version 3 file by its kind and by the shape of the bytes that follow. A damaged
// kind does not hide a block, and the search for the next block is not misled by a name that occurs by
// chance.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

/// The number of bytes in which to look for the end of a table of contents or of metadata.
inline constexpr std::size_t far_bytes = core::Window::default_capacity;

struct Recognised {
  grammar::RawKind raw;
  BlockKind named = BlockKind::unknown;  ///< what it is according to the kind
  std::optional<BlockShape> shape;       ///< its shape according to the content
  /// Whether the kind and the content match.
  [[nodiscard]] bool fits() const {
    return named != BlockKind::unknown && shape && info_of(named).shape == *shape;
  }
};

/// Recognises the block at the front of `bytes`, whose first byte is at `offset` in the file. For all blocks
/// except tables of contents, 64 bytes are enough. With fewer bytes, a block may be missed, but other bytes
/// are never mistaken for a block.
Recognised recognise(core::ByteSpan bytes, std::uint64_t offset);

/// The number of entries before the closing offset of the table of contents at the front of `bytes`; empty if
/// no closing offset equal to `offset` is found.
std::optional<std::uint64_t> find_toc_count(core::ByteSpan bytes, std::uint64_t offset);

/// Whether the table of contents at the front of `bytes` has lost or gained bytes, so that neither its
/// closing offset nor a block after its last entry shows its end. `moved` states whether offsets are
/// unreliable, and `at_input_end` states whether the input ends with `bytes`.
bool is_torn_toc(core::ByteSpan bytes, std::uint64_t offset, bool moved, bool at_input_end);

/// Whether a block whose kind and content match starts anywhere in `bytes`, whose first byte is at `offset`
/// in the file.
bool holds_block(core::ByteSpan bytes, std::uint64_t offset);

/// Moves `window` to the next block whose kind and content match or, if there is none, to the end. Returns
/// whether there is such a block.
bool find_next_block(core::Window& window);

}  // namespace heapcheck::mvmheap::v3
