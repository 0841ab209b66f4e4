// Changes the structure of MoarVM dumps, with a mutator for each version. One input in four is changed as
// plain bytes, which also changes the heads of sections and frames, and bytes outside sections and frames.
#include <algorithm>

#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v2/grammar.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "fuzz/support/mutators/mvmheap_v1_mutator.hpp"
#include "fuzz/support/mutators/mvmheap_v2_mutator.hpp"
#include "fuzz/support/mutators/mvmheap_v3_mutator.hpp"

namespace {

using namespace heapcheck;

/// Returns nothing if `bytes` is not a dump.
fuzz::Bytes mutate(core::ByteSpan bytes, fuzz::RandomChoices& choices) {
  if (mvmheap::v3::grammar::magic(bytes)) return fuzz::v3::mutate(bytes, choices);
  if (mvmheap::v2::grammar::magic(bytes)) return fuzz::v2::mutate(bytes, choices);
  return mvmheap::v1::is_v1(bytes) ? fuzz::v1::mutate(bytes, choices) : fuzz::Bytes{};
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  fuzz::RandomChoices choices(seed);
  if (choices.below(4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const fuzz::Bytes changed = mutate({data, size}, choices);
  if (changed.empty() || changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::ranges::copy(changed, data);
  return changed.size();
}
