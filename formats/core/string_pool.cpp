#include "formats/core/string_pool.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::core {
namespace {

constexpr std::size_t first_slots = 1024;  // a power of two, like all later sizes

std::uint32_t hash_of(std::string_view text) { return static_cast<std::uint32_t>(KeyedHash{}(text)); }

}  // namespace

StringPool::Prepared StringPool::prepare(std::string_view text) const {
  const std::uint32_t hash = hash_of(text);
  if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  return {text, hash};
}

PoolIndex StringPool::intern_prepared(const Prepared& prepared) {
  const auto [text, hash] = prepared;
  if (ends_.size() >= slots_.size() / 4 * 3) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot].number != 0; slot = (slot + 1) & mask) {
    const PoolIndex index{slots_[slot].number - 1};
    if (slots_[slot].hash == hash && (*this)[index] == text) return index;
  }
  text_.append(std::span<const char>(text));
  ends_.push_back(text_.size());
  slots_[slot] = {hash, static_cast<std::uint32_t>(ends_.size())};
  return PoolIndex{static_cast<std::uint32_t>(ends_.size() - 1)};
}

std::vector<PoolIndex> StringPool::intern_all(const StringPool& other) {
  constexpr std::size_t batch = 16;
  std::vector<PoolIndex> indices;
  indices.reserve(other.count());
  std::array<Prepared, batch> prepared;
  for (std::uint32_t first = 0; first < other.count(); first += batch) {
    const auto count = std::min<std::size_t>(batch, other.count() - first);
    for (std::uint32_t i = 0; i < count; ++i) prepared[i] = prepare(other[PoolIndex{first + i}]);
    for (std::size_t i = 0; i < count; ++i) indices.push_back(intern_prepared(prepared[i]));
  }
  return indices;
}

void StringPool::grow() {
  std::vector<Slot> larger(slots_.empty() ? first_slots : slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot& old : slots_) {
    if (old.number == 0) continue;
    std::size_t slot = old.hash & mask;
    while (larger[slot].number != 0) slot = (slot + 1) & mask;
    larger[slot] = old;
  }
  slots_ = std::move(larger);
}

std::uint64_t StringPool::memory() const {
  return text_.capacity() + ends_.capacity() * sizeof(std::size_t) + slots_.capacity() * sizeof(Slot);
}

}  // namespace heapcheck::core
