// Maps the ids in a file to the rows that define them. Ids that are small compared to the number of rows, as
// in files from real writers, are kept in a dense table, and all other ids in a tree. Therefore, no choice of
// ids can make the table slow or large. Owns its memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heapcheck::chrome::heaps_v2 {

/// A row of a map: `dump` is an index into Model::dumps.
struct RowRef {
  std::uint32_t dump = UINT32_MAX;
  std::uint32_t row = 0;

  friend bool operator==(const RowRef&, const RowRef&) = default;
};

class IdTable {
 public:
  /// Announces the ids of a map. The total number of rows determines which ids count as small.
  void expect(const std::vector<std::uint64_t>& ids) {
    dense_limit_ += ids.size() * ids_per_row;
    std::uint64_t size = dense_.size();
    for (const std::uint64_t id : ids) size = std::max(size, id < dense_limit_ ? id + 1 : 0);
    dense_.resize(static_cast<std::size_t>(size));
  }

  /// Defines an id that was announced, or redefines it.
  void set(std::uint64_t id, RowRef row) {
    if (id < dense_.size()) {
      dense_[static_cast<std::size_t>(id)] = row;
    } else {
      sparse_[id] = row;
    }
  }

  /// The row that defines `id`. If there is no such row, `dump` is UINT32_MAX.
  [[nodiscard]] RowRef look_up(std::uint64_t id) const {
    const RowRef row = id < dense_.size() ? dense_[static_cast<std::size_t>(id)] : RowRef{};
    return row.dump != UINT32_MAX || sparse_.empty() ? row : look_up_sparse(id);
  }
  [[nodiscard]] std::optional<RowRef> find(std::uint64_t id) const {
    const RowRef row = look_up(id);
    return row.dump == UINT32_MAX ? std::nullopt : std::optional(row);
  }

  [[nodiscard]] bool empty() const { return dense_.empty() && sparse_.empty(); }

 private:
  [[nodiscard]] RowRef look_up_sparse(std::uint64_t id) const {
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? RowRef{} : found->second;
  }

  // Frames and strings share one counter for their ids, so a frame uses two or three ids.
  static constexpr std::uint64_t ids_per_row = 4;

  std::uint64_t dense_limit_ = 1024;
  std::vector<RowRef> dense_;
  std::map<std::uint64_t, RowRef> sparse_;
};

}  // namespace heapcheck::chrome::heaps_v2
