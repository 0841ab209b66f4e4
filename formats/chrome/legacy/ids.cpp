#include "formats/chrome/legacy/ids.hpp"

#include <algorithm>

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

bool IdIndex::add(std::uint32_t id, std::uint32_t row) {
  if (find(id)) return false;
  ++count_;
  Table& table = tables_[table_of(id)];
  const std::size_t place = place_of(id);
  constexpr std::size_t free_places = 4096;  // the number of slots that a table may have beyond four per id
  if (place >= 4 * count_ + free_places) {
    others_.emplace(id, row);
    return true;
  }
  if (place >= table.size()) table.resize(std::max(place + 1, table.size() + table.size() / 2));
  table[place] = row + 1;
  return true;
}

std::optional<std::uint32_t> IdIndex::find_other(std::uint32_t id) const {
  const auto found = others_.find(id);
  return found == others_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace heapcheck::chrome::legacy
