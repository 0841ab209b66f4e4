// Maps the ids of a file to the rows that define them. Ids that are small compared to the number of rows, as
// in files from real writers, are kept in a dense table and the others in a tree, so that no choice of ids
// makes the table slow or large. Owns its memory.
#pragma once

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
  /// Announces more rows. The total number of rows determines which ids count as small.
  void expect(std::uint64_t row_count) { dense_limit_ += row_count * ids_per_row; }

  /// Defines `id`, or redefines it.
  void set(std::uint64_t id, RowRef row) {
    if (id >= dense_limit_) {
      sparse_[id] = row;
      return;
    }
    if (id >= dense_.size()) dense_.resize(static_cast<std::size_t>(id) + 1);
    dense_[static_cast<std::size_t>(id)] = row;
  }

  [[nodiscard]] std::optional<RowRef> find(std::uint64_t id) const {
    if (id < dense_.size() && dense_[static_cast<std::size_t>(id)].dump != UINT32_MAX) {
      return dense_[static_cast<std::size_t>(id)];
    }
    if (sparse_.empty()) return std::nullopt;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] bool empty() const { return dense_.empty() && sparse_.empty(); }

 private:
  // Frames and strings share one counter for their ids, so a frame uses two or three ids.
  static constexpr std::uint64_t ids_per_row = 4;

  std::uint64_t dense_limit_ = 1024;
  std::vector<RowRef> dense_;
  std::map<std::uint64_t, RowRef> sparse_;
};

}  // namespace heapcheck::chrome::heaps_v2
