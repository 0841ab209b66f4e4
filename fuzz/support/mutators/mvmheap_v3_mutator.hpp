// A version 3 dump as a list of blocks with decompressed content, so that a fuzzer can change values instead
// of compressed bytes and offsets. Parsing is lenient: bytes outside blocks are kept as they are. Owns its
// data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v3/layout.hpp"
#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v3 {

struct DumpBlock {
  std::string kind;  ///< 8 bytes; empty for bytes outside blocks
  mvmheap::v3::BlockShape shape = mvmheap::v3::BlockShape::meta;
  std::uint16_t entry_bytes = 0;
  /// For a frame, the size in its head. For other blocks, it is added to the correct size or count.
  std::uint64_t size = 0;
  Bytes content;  ///< decompressed; for a table of contents, its entries
  Span origin;    ///< its place in the input
};

struct Dump {
  std::vector<DumpBlock> blocks;
};

/// Parses `bytes`, which start with the magic.
Dump unpack_dump(core::ByteSpan bytes);

struct PackOptions {
  bool compressed = false;      ///< whether to use zstd level 1 instead of stored blocks
  bool fix_up_offsets = false;  ///< whether to update the entries of tables of contents when blocks move
  std::size_t largest_piece = 100'000;  ///< bytes in a stored block; small blocks may end inside entries
};

/// Writes a dump.
Bytes pack_dump(const Dump& dump, const PackOptions& options);

/// Makes one to three changes to a dump, with or without adjusting offsets.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v3
