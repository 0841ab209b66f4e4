// A version 3 dump as a list of blocks with their content unpacked, so that a fuzzer changes values
// behind the compression and offsets instead of bytes. Lenient: what is no block stays a row of bytes.
// Owns everything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v3/layout.hpp"
#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v3 {

struct DumpBlock {
  std::string kind;  ///< 8 bytes; empty for bytes that are no block
  mvmheap::v3::BlockShape shape = mvmheap::v3::BlockShape::meta;
  std::uint16_t entry_bytes = 0;
  std::uint64_t size = 0;  ///< of a frame, as the head says; else what is added to the right number
  Bytes content;           ///< unpacked; of a table of contents, its entries
  Span origin;             ///< where it stood before
};

struct Dump {
  std::vector<DumpBlock> blocks;
};

/// Takes `bytes`, which start with the magic, apart.
Dump unpack_dump(core::ByteSpan bytes);

struct PackOptions {
  bool compressed = false;              ///< zstd level 1 instead of stored blocks
  bool fix_up_offsets = false;          ///< tables of contents follow the blocks that moved
  std::size_t largest_piece = 100'000;  ///< bytes of a stored block: small ones end inside entries
};

/// Puts a dump together again.
Bytes pack_dump(const Dump& dump, const PackOptions& options);

/// One to three changes to a dump, with offsets that follow them or do not.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v3
