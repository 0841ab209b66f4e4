// The loops over collectables and references, which are nearly all of a file: from bytes straight into the
// columns of the model. Entry by entry, they do the same as the productions in grammar.hpp. Everything is
// borrowed.
#pragma once

#include <cstdint>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

/// Appends the collectables in `entries`, which must hold complete ones.
void decode_collectables(core::ByteSpan entries, Collectables& collectables);

/// What decode_references() took from the front of its bytes.
struct DecodedReferences {
  std::size_t byte_count = 0;
  std::uint64_t count = 0;
  std::uint64_t wide = 0;  ///< how many are wider than their values need
  bool is_odd = false;     ///< whether a kind has more than 2 bits, or an index more than 62
};

/// Appends up to `most` references from the front of `bytes`, and records their places; `offset` is the place
/// of the first byte in the file. Stops before a reference that is incomplete or has an invalid width.
DecodedReferences decode_references(core::ByteSpan bytes, std::uint64_t offset, std::uint64_t most,
                                    References& references, ReferencePlaces& places);

/// The total number of references that these collectables claim to have.
std::uint64_t count_owned(const Collectables& collectables);

/// Whether `bytes` begin with a reference of known width and kind.
bool is_reference(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v2
