#include "formats/chrome/legacy/id_index.hpp"

#include <algorithm>

namespace heapcheck::chrome::legacy {
namespace {

constexpr std::size_t free_places = 4096;  // slots that a table may have in addition to four for each id

}  // namespace

bool IdIndex::add(std::uint32_t id, std::uint32_t row) {
  if (find(id)) return false;
  ++count_;
  Table& table = tables_[table_of(id)];
  const std::size_t place = place_of(id);
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
