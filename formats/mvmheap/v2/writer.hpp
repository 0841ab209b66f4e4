// Writes a version 2 file part by part, like the MoarVM releases that wrote a correct index: in layout B, or
// in layout A with new rows after each snapshot. Never writes layout C, because its index misleads existing
// readers. The same model always yields the same bytes. Borrows the sink; owns the index written so far.
#pragma once

#include <optional>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v2/grammar.hpp"
#include "formats/mvmheap/v2/layout.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::mvmheap::v2 {

struct WriterOptions {
  /// Whether to use layout A, which has new rows after each snapshot so that an unfinished file keeps its
  /// names. All version 2 readers support both layouts.
  bool increments = false;
};

class Writer final : public DumpWriter {
 public:
  explicit Writer(core::ByteSink& out, WriterOptions options = {}) : out_(&out), options_(options) {}

  /// Writes the snapshot of the part using the narrowest widths. A part without a snapshot only adds rows.
  /// With increments, the rows up to `part.after` are written when the next part comes or at the end. The
  /// fields about damage are ignored, and metadata and highscores do not exist in this version. Collectables
  /// without references are written with a refs_start of 0, as in MoarVM's files. All errors are of kind
  /// `unwritable`. After an error from the sink, nothing more is written. If columns differ in length or a
  /// value does not fit in its field, nothing is written at all.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Writes all rows of `tables` and the index. Errors: the same as for write_part().
  Result<void> finish(const Tables& tables) override;

 private:
  void write_start();
  std::uint64_t write_collectables(const Collectables& collectables);
  std::uint64_t write_references(const References& references, std::uint64_t& middle);
  void write_increments(const Tables& tables, const TableCounts& last);
  template <class PutRow>
  std::uint64_t write_rows(SectionKind kind, std::uint64_t first, std::uint64_t last, const PutRow& put_row);
  std::uint64_t write_strings(const StringTable& strings, std::uint64_t first, std::uint64_t last);
  template <class Table>
  std::uint64_t write_table(SectionKind kind, const Table& table, std::uint64_t first, std::uint64_t last);
  void put_head(SectionKind kind, std::uint64_t count);
  void put(core::ByteSpan bytes);
  template <class T>
  void put_le(T value);
  void flush();
  [[nodiscard]] Result<void> result() const;

  core::ByteSink* out_;
  WriterOptions options_;
  std::vector<std::uint8_t> pending_;  // bytes that have not been passed to the sink yet
  std::uint64_t offset_ = 0;           // the offset of the next byte in the file
  std::vector<grammar::IndexEntry> index_;
  TableCounts written_;                  // the number of rows in increments so far
  std::optional<TableCounts> promised_;  // where the increment of the last snapshot has to end
  std::optional<Error> error_;           // the first error of the sink
};

}  // namespace heapcheck::mvmheap::v2
