#include "formats/mvmheap/v2/part.hpp"

#include <algorithm>

namespace heapcheck::mvmheap::v2 {
namespace {

std::uint64_t narrowest_bytes(const References& references, std::uint64_t i) {
  const Width width = narrowest_width(references.description[i] >> kind_bits, references.target[i]);
  return reference_bytes(width.byte_count);
}

}  // namespace

void SectionPart::reset(std::uint64_t new_index) {
  mvmheap::Part::reset(new_index);
  states.fill(SectionState::absent);
  sections.fill(0);
  places.offsets.clear();
  places.asked = UINT64_MAX;
}

Span find_reference(const SectionPart& part, std::uint64_t index, std::uint64_t end) {
  const References& references = part.snapshot.references;
  const auto block = static_cast<std::size_t>(index / ReferencePlaces::stride);
  const std::uint64_t first = block * ReferencePlaces::stride;
  const std::uint64_t last = std::min(first + ReferencePlaces::stride, references.count());
  const std::uint64_t start = part.places.offsets[block];
  const std::uint64_t block_end = last < references.count() ? part.places.offsets[block + 1] : end;
  Span found{start, 0};
  std::uint64_t offset = start;
  for (std::uint64_t i = first; i < last; ++i) {
    const std::uint64_t byte_count = narrowest_bytes(references, i);
    if (i == index) found = {offset, byte_count};
    offset += byte_count;
  }
  return offset == block_end ? found : Span{start, block_end - start};
}

}  // namespace heapcheck::mvmheap::v2
