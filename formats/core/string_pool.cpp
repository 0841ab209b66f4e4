#include "formats/core/string_pool.hpp"

#include <algorithm>
#include <array>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::core {

StringPool::Prepared StringPool::prepare(std::string_view text) const {
  const std::size_t hash = KeyedHash{}(text);
  numbers_.prefetch(hash);
  return {text, hash};
}

PoolIndex StringPool::intern_prepared(const Prepared& prepared) {
  const auto is_same = [&](std::uint64_t number) {
    return (*this)[PoolIndex{static_cast<std::uint32_t>(number)}] == prepared.text;
  };
  const std::uint64_t number = numbers_.find_or_add(prepared.hash, count(), is_same);
  if (number == count()) {
    text_.append(std::span<const char>(prepared.text));
    ends_.push_back(text_.size());
  }
  return PoolIndex{static_cast<std::uint32_t>(number)};
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

std::uint64_t StringPool::memory() const {
  return text_.capacity() + ends_.capacity() * sizeof(std::size_t) + numbers_.memory();
}

}  // namespace heapcheck::core
