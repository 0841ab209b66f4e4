// Tells what stands at a place in a version 3 file: the kind that is written there, and what the
// bytes behind it look like. A damaged kind does not hide a block, and a search for the next block
// is not misled by a name that happens to occur.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

/// How far ahead the end of a table of contents or of metadata is looked for.
inline constexpr std::size_t far_bytes = core::Window::default_capacity;

struct Recognised {
  grammar::RawKind raw;
  BlockKind named = BlockKind::unknown;  ///< what the kind says
  std::optional<BlockShape> shape;       ///< what the content looks like
  /// Whether kind and content agree.
  [[nodiscard]] bool fits() const {
    return named != BlockKind::unknown && shape && info_of(named).shape == *shape;
  }
};

/// What stands at the front of `bytes`, whose first byte is at `offset` in the file. A short view
/// (64 bytes do for all but tables of contents) recognises less, never wrongly more.
Recognised recognise(core::ByteSpan bytes, std::uint64_t offset);

/// How many entries stand before the closing offset of a table of contents at the front of
/// `bytes`; empty where no closing offset names `offset`.
std::optional<std::uint64_t> find_toc_count(core::ByteSpan bytes, std::uint64_t offset);

/// Whether bytes were lost in, or came into, the table of contents at the front of `bytes`: neither
/// its closing offset nor a block behind its last entry tells where it ends. `moved` says that offsets
/// no longer hold, `at_input_end` that the input ends with `bytes`.
bool is_torn_toc(core::ByteSpan bytes, std::uint64_t offset, bool moved, bool at_input_end);

/// Moves `window` to the next block that recognise() fits, or to its end; says whether there is one.
bool find_next_block(core::Window& window);

}  // namespace heapcheck::mvmheap::v3
