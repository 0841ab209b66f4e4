// The interface through which a reader shows the columns of a snapshot while they grow, so that they can be
// checked as they pass. One virtual call is made for each piece of a column.
#pragma once

#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap {

class ColumnPass {
 public:
  virtual ~ColumnPass() = default;
  /// Called after values were added to columns of the snapshot. May forget values that the reader does not
  /// need: those of all columns except the kinds and the numbers of references. If the reader does need one,
  /// the column notes it.
  virtual void take(Snapshot& snapshot) = 0;
  /// Whether references and sizes are forgotten as they pass, so that no memory is reserved for them.
  [[nodiscard]] virtual bool forgets() const = 0;
};

}  // namespace heapcheck::mvmheap
