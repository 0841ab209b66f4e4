// Writes a version 1 file in the same way as MoarVM did: first the tables, and then each snapshot. The same
// model always yields the same bytes. Borrows the sink.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v1/layout.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::mvmheap::v1 {

class Writer final : public DumpWriter {
 public:
  explicit Writer(core::ByteSink& out) : out_(&out) {}

  /// Writes the tables if they have not been written yet, and then the snapshot of `part`, if it has one,
  /// under the next number. Drops metadata and highscores. Replaces names that the format cannot represent
  /// with the result of make_holdable(), preceded by a number if this name already exists. Writes a
  /// `refs_start` of 0 for collectables without references, as in MoarVM's files. All errors are of kind
  /// `unwritable`. After an error from the sink, nothing more is written. If columns differ in length or
  /// tables have grown, nothing is written at all.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Writes the tables if no part has been written yet.
  Result<void> finish(const Tables& tables) override;

 private:
  [[nodiscard]] std::optional<Error> find_misuse(const mvmheap::Part& part, const Tables& tables) const;
  void write_tables(const Tables& tables);
  void write_strings(const StringTable& strings);
  void write_snapshot(const Snapshot& snapshot);

  void put(std::string_view text);
  void begin_list(LineKind kind);
  void put_item(std::initializer_list<std::uint64_t> fields);
  void drain();
  Result<void> flush();

  core::ByteSink* out_;
  std::string pending_;                 // bytes that have not been passed to the sink yet
  std::optional<TableCounts> written_;  // the number of rows of the tables
  std::uint64_t snapshots_ = 0;
  bool is_first_item_ = true;
  std::optional<Error> error_;  // the first error of the sink
};

}  // namespace heapcheck::mvmheap::v1
