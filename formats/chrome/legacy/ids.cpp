#include "formats/chrome/legacy/ids.hpp"

#include "formats/chrome/legacy/grammar.hpp"

namespace heapcheck::chrome::legacy {

std::uint32_t IdPool::intern(std::string_view text) {
  if (const auto number = grammar::small_id(core::as_bytes(text))) return *number;
  return first_text_id + static_cast<std::uint32_t>(texts_.intern(text));
}

std::vector<std::uint32_t> IdPool::intern_all(const IdPool& other) {
  std::vector<std::uint32_t> numbers;
  for (const core::PoolIndex index : texts_.intern_all(other.texts_))
    numbers.push_back(first_text_id + static_cast<std::uint32_t>(index));
  return numbers;
}

void IdPool::append(std::uint32_t id, std::string& out) const {
  if (id < first_text_id) {
    out += std::to_string(id);
  } else if (id - first_text_id < texts_.count()) {
    out += texts_[core::PoolIndex{id - first_text_id}];
  }
}

}  // namespace heapcheck::chrome::legacy
