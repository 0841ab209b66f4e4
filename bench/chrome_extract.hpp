// Extracts the heap dumps from a Chrome trace, with heapcheck's reader and with simdjson, into the same
// columns, and sums up the columns so that the two results can be compared.
#pragma once

#include <cstdint>
#include <string>

namespace heapcheck::bench {

struct Extract {
  std::uint64_t row_count = 0;   ///< entries, or rows of columns
  std::uint64_t name_count = 0;  ///< frames, types, nodes and strings
  std::uint64_t sum = 0;         ///< over all columns, each with its own weight
  std::uint64_t byte_count = 0;  ///< of the columns and strings

  friend bool operator==(const Extract& a, const Extract& b) {
    return a.row_count == b.row_count && a.name_count == b.name_count && a.sum == b.sum;
  }
};

/// `path` may be `-` for standard input. Both functions end the program if the trace cannot be read.
Extract extract_with_heapcheck(const std::string& path);
Extract extract_with_simdjson(const std::string& path);

}  // namespace heapcheck::bench
