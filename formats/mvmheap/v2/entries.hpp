// The loops over collectables and references, which make up nearly all of a file. They decode bytes directly
// into the columns of the model. For each entry, they do the same as the productions in grammar.hpp. All data
// is borrowed.
#pragma once

#include <cstdint>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

/// Appends the collectables in `entries`, which must not end inside a collectable.
void decode_collectables(core::ByteSpan entries, Collectables& collectables);

/// Describes the references that decode_references() read.
struct DecodedReferences {
  std::size_t byte_count = 0;
  std::uint64_t count = 0;
  std::uint64_t wide = 0;  ///< the number of references that are wider than necessary
  bool is_odd = false;     ///< whether a kind has more than 2 bits, or an index has more than 62 bits
};

/// Appends up to `most` references from the front of `bytes`, and records their offsets; `offset` is the
/// offset of the first byte in the file. Stops before a reference that is incomplete or has an invalid width.
DecodedReferences decode_references(core::ByteSpan bytes, std::uint64_t offset, std::uint64_t most,
                                    References& references, ReferencePlaces& places);

/// The total number of references that these collectables claim to have.
std::uint64_t count_owned(const Collectables& collectables);

/// Whether `bytes` begin with a reference that has a valid width and a valid kind.
bool is_reference(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v2
