// The shared tables during the reading of a file in either direction. They grow from part to part. After a
// damaged block that would have added rows, all later rows are unknown. Owns the tables.
#pragma once

#include <array>

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"

namespace heapcheck::mvmheap::v3 {

/// What the tables of contents at the end of a part say about the part.
struct ListedBlocks {
  bool are_known = false;                ///< whether the inner table was read and covers the part
  std::array<bool, kind_count> kinds{};  ///< the kinds that it lists
  bool has_all_parts = false;            ///< whether the outer table lists all parts that were read
  bool has_open_parts = false;           ///< whether the outer table omits the open parts before this one
  bool is_open = false;  ///< whether the part ended without tables of contents and may continue in the next
                         ///< part
};

class SharedTables {
 public:
  [[nodiscard]] Tables& tables() { return tables_; }
  [[nodiscard]] const Tables& tables() const { return tables_; }

  /// Records in `part` the lengths of the tables before it.
  void begin_part(BlockPart& part) const { part.before = tables_.counts(); }
  /// Records in `part` the result of reading a block; `place` is its index in BlockContainer::blocks. The new
  /// rows of a table that lost a column are dropped. A block that repeats the previous block does not change
  /// anything.
  void enter(const Block& block, std::size_t place, BlockPart& part);
  /// Removes from the part and the tables the values of the part's block of this kind, because the block
  /// belongs elsewhere.
  void forget(BlockPart& part, BlockKind kind);
  /// Records that blocks of the kinds from `first` up to, but not including, `end` may be missing from the
  /// part. From here on, tables to which such blocks add rows are unknown, unless end_part() shows that the
  /// part has no such blocks.
  void lose(BlockKind first, BlockKind end);
  /// Records that a whole part may be missing, unless end_part() shows that no part is missing.
  void lose_part() { may_lack_part_ = true; }
  /// Drops new rows whose columns differ in length, and records the new lengths of the tables. `stopped`
  /// states whether reading stops after this part.
  void end_part(BlockPart& part, bool stopped, const ListedBlocks& listed = {});

 private:
  void truncate(BlockPart& part, BlockKind kind);
  bool drop_repeat(BlockPart& part, const Block& block);
  void settle_losses(const BlockPart& part, const ListedBlocks& listed);
  /// These functions drop the rows that the part added. If the part is open, they may be read in the next
  /// part.
  void drop_types(const BlockPart& part, bool is_open);
  void drop_frames(const BlockPart& part, bool is_open);

  Tables tables_;
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
  // These members state whether blocks of the tables may be missing from the current part.
  bool may_lack_strings_ = false;
  bool may_lack_types_ = false;
  bool may_lack_frames_ = false;
  bool may_lack_part_ = false;
  bool has_open_part_ = false;
};

}  // namespace heapcheck::mvmheap::v3
