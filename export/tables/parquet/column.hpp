// Encodes one column, one row group at a time, with a dictionary as long as that saves space and otherwise
// plainly. Takes rows, and returns chunks of pages.
#pragma once

#include <cstddef>
#include <memory>

#include "export/tables/parquet/pages.hpp"
#include "export/tables/table.hpp"

namespace heapcheck::exports::tables::parquet {

class ColumnEncoder {
 public:
  ColumnEncoder() = default;
  ColumnEncoder(const ColumnEncoder&) = delete;
  ColumnEncoder& operator=(const ColumnEncoder&) = delete;
  virtual ~ColumnEncoder() = default;

  /// Call this before adding rows whose strings may be at the same addresses as earlier strings.
  virtual void forget_addresses() = 0;
  /// Appends `count` rows, starting at row `first`. Strings must not be longer than 2^30 bytes.
  virtual void add(const Values& values, std::size_t first, std::size_t count) = 0;
  /// The approximate amount of memory used by the rows since the last chunk.
  [[nodiscard]] virtual std::size_t byte_count() const = 0;
  /// Ends the row group.
  virtual Chunk take_chunk() = 0;
};

/// The compressor is borrowed.
[[nodiscard]] std::unique_ptr<ColumnEncoder> make_encoder(const Column& column, Compressor& compressor);

}  // namespace heapcheck::exports::tables::parquet
