// Writes a version 1 file as MoarVM did: first the tables, then each snapshot. The same model always yields
// the same bytes. Borrows the sink.
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

  /// Writes the tables if they have not been written yet, then the snapshot of `part`, if it has one, under
  /// the next number. Metadata and highscores are dropped. Names that the format cannot represent are
  /// replaced with the result of make_holdable(), with a number in front if this name already exists.
  /// `refs_start` of collectables without references is written as 0, as in MoarVM's files. All errors are of
  /// kind unwritable: errors of the sink, after which nothing more is written; and errors for columns that
  /// differ in length or tables that have grown, for which nothing is written.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Writes the tables if no part has been written.
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
  std::string pending_;                 // bytes not yet passed to the sink
  std::optional<TableCounts> written_;  // the number of rows of the tables
  std::uint64_t snapshots_ = 0;
  bool is_first_item_ = true;
  std::optional<Error> error_;  // the first error of the sink
};

}  // namespace heapcheck::mvmheap::v1
