#include "formats/core/string_pool.hpp"

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::core {
namespace {

constexpr std::size_t first_slots = 1024;  // a power of two, like all later sizes

std::uint32_t hash_of(std::string_view text) { return static_cast<std::uint32_t>(KeyedHash{}(text)); }

}  // namespace

PoolIndex StringPool::intern(std::string_view text) {
  if (ends_.size() >= slots_.size() / 2) grow();
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t index = slots_[slot] - 1;
    if (hashes_[index] == hash && (*this)[PoolIndex{index}] == text) return PoolIndex{index};
  }
  text_.append(text);
  ends_.push_back(text_.size());
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(ends_.size());
  return PoolIndex{static_cast<std::uint32_t>(ends_.size() - 1)};
}

void StringPool::grow() {
  const std::size_t count = slots_.empty() ? first_slots : slots_.size() * 2;
  slots_.assign(count, 0);
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    std::size_t slot = hashes_[i] & (count - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (count - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

std::uint64_t StringPool::memory() const {
  return text_.capacity() + ends_.capacity() * sizeof(std::size_t) +
         (hashes_.capacity() + slots_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace heapcheck::core
