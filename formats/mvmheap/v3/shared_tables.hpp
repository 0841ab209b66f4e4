// The shared tables while a file is read, whichever way: they grow from part to part, and what a
// damaged block would have added makes all later rows unknown. Owns the tables.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"

namespace heapcheck::mvmheap::v3 {

class SharedTables {
 public:
  [[nodiscard]] Tables& tables() { return tables_; }
  [[nodiscard]] const Tables& tables() const { return tables_; }

  /// Notes in `part` how long the tables are before it.
  void begin_part(BlockPart& part) const { part.before = tables_.counts(); }
  /// Notes in `part` what became of a block that was read, which has this place in
  /// BlockContainer::blocks. Rows of a table that lost a column are dropped.
  void enter(const Block& block, std::size_t place, BlockPart& part);
  /// Makes the tables unknown that blocks of the kinds from `first` up to, and without, `end` add to.
  void lose(BlockKind first, BlockKind end);
  /// Drops new rows whose columns are not equally long, and notes how long the tables are now.
  /// `stopped` says that nothing is read behind the part.
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
