// Lets libFuzzer change the structure of JSON documents. Bytes after the document are kept.
#include <algorithm>

#include "fuzz/support/mutators/json_mutation.hpp"
#include "fuzz/support/mutators/mutation.hpp"

// One input in four is changed as plain bytes, which also changes text between the values and invalid JSON.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  heapcheck::fuzz::RandomChoices choices(seed);
  if (choices.below(4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  heapcheck::fuzz::JsonMutation mutation({reinterpret_cast<const char*>(data), size}, choices);
  for (std::size_t changes = 1 + choices.below(3); changes != 0; --changes) mutation.apply();
  const std::string& text = mutation.text();
  if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::ranges::copy(text, data);
  return text.size();
}
