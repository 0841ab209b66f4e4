// The footer of a Parquet file, which lists the columns and the places of their chunks. Owns its bytes. spec:
// parquet.md#footer
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "export/tables/parquet/pages.hpp"
#include "export/tables/table.hpp"

namespace heapcheck::exports::tables::parquet {

class Footer {
 public:
  /// The name and the columns are borrowed.
  explicit Footer(const Table& table) : table_(table) {}

  /// Adds a row group whose chunks, one for each column, are written one after another, starting at `offset`.
  void add_group(std::uint64_t row_count, std::uint64_t offset, std::span<const Chunk> chunks);
  /// The footer in the form that follows the last row group, with its size and the magic bytes at the end.
  [[nodiscard]] Bytes encode() const;

 private:
  void add_schema(ThriftWriter& file) const;

  Table table_;
  Bytes groups_;  // the row groups in encoded form
  std::size_t group_count_ = 0;
  std::uint64_t row_count_ = 0;
};

inline constexpr std::string_view magic = "PAR1";  ///< the magic at both ends of a file

}  // namespace heapcheck::exports::tables::parquet
