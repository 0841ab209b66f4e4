// The shared tables while a file is read, in either direction. They grow from part to part. After a damaged
// block that would have added rows, all later rows are unknown. Owns the tables.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"

namespace heapcheck::mvmheap::v3 {

class SharedTables {
 public:
  [[nodiscard]] Tables& tables() { return tables_; }
  [[nodiscard]] const Tables& tables() const { return tables_; }

  /// Records in `part` the lengths of the tables before it.
  void begin_part(BlockPart& part) const { part.before = tables_.counts(); }
  /// Records in `part` the result of reading a block, where `place` is its index in BlockContainer::blocks.
  /// The new rows of a table that lost a column are dropped.
  void enter(const Block& block, std::size_t place, BlockPart& part);
  /// Marks as unknown the tables to which blocks of the kinds from `first` up to, but not including, `end`
  /// add rows.
  void lose(BlockKind first, BlockKind end);
  /// Drops new rows whose columns differ in length, and records the new lengths of the tables. `stopped`:
  /// whether reading stops after the part.
  void end_part(BlockPart& part, bool stopped);

 private:
  void drop_types(const BlockPart& part);
  void drop_frames(const BlockPart& part);

  Tables tables_;
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
};

}  // namespace heapcheck::mvmheap::v3
