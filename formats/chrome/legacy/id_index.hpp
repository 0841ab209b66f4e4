// Finds the row of an id in constant time. In: ids from an IdPool, added one by one. Memory grows with the
// number of ids, however large the ids are. Owns its data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::chrome::legacy {

class IdIndex {
 public:
  /// Records that `row` has `id`. Returns false and changes nothing if a row already has that id.
  bool add(std::uint32_t id, std::uint32_t row);
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t id) const {
    const Table& table = tables_[table_of(id)];
    const std::size_t place = place_of(id);
    if (place < table.size() && table[place] != 0) return table[place] - 1;
    return others_.empty() ? std::nullopt : find_other(id);
  }

 private:
  using Table = std::vector<std::uint32_t>;  // row + 1, by id; 0 if there is no row

  static std::size_t table_of(std::uint32_t id) { return id / first_text_id; }
  static std::uint32_t place_of(std::uint32_t id) { return id % first_text_id; }
  [[nodiscard]] std::optional<std::uint32_t> find_other(std::uint32_t id) const;

  // One table for ids that are numbers and one for ids that are strings; both are dense.
  std::array<Table, 2> tables_;
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> others_;
  std::uint64_t count_ = 0;
};

/// The rows of `ids`, a column of FrameId or TypeId; the first row if several have the same id.
template <class Id>
IdIndex make_index(const std::vector<Id>& ids) {
  IdIndex index;
  for (std::uint32_t row = 0; row < ids.size(); ++row) index.add(static_cast<std::uint32_t>(ids[row]), row);
  return index;
}

}  // namespace heapcheck::chrome::legacy
