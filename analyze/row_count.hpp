// The number of rows of a tree of which only the largest rows are shown.
#pragma once

#include <cstdint>

namespace heapcheck::analyze {

struct RowCount {
  std::uint64_t rows = 0;
  bool is_complete = true;  ///< if not, there are more, but counting them takes too long
};

}  // namespace heapcheck::analyze
