// Decodes columns of a graph before their turn on several threads, as far as the window shows them.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap::v3 {

/// A column that was decoded completely and without any findings.
struct ColumnAhead {
  Block block;     ///< its offsets are relative to its first byte
  BlockPart part;  ///< contains only the column
};

class ColumnsAhead {
 public:
  explicit ColumnsAhead(const Limits& limits) : limits_(limits) {}

  /// Returns the column in the block of that kind at the front of the window, which the caller may take.
  /// Returns null if the column was not decoded, or if it must be decoded again to describe its faults. If
  /// the block is the first column of a snapshot, decodes it and the columns that follow. `part` contains the
  /// parts of the snapshot that were read before these columns.
  [[nodiscard]] ColumnAhead* find(core::Window& window, BlockKind kind, BlockPart& part);

 private:
  struct Place {
    std::uint64_t offset = 0;  ///< the offset in the file
    BlockKind kind = BlockKind::unknown;
    std::size_t byte_count = 0;
  };
  void find_places(core::Window& window);
  void decode(core::Window& window, const BlockPart& part);

  Limits limits_;
  std::vector<Place> places_;
  std::uint64_t end_ = 0;             ///< the end of the examined bytes
  std::vector<ColumnAhead> columns_;  ///< one column for each place; of unknown kind if the column cannot be
                                      ///< used
};

}  // namespace heapcheck::mvmheap::v3
