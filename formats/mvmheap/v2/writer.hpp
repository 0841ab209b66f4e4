// Writes a version 2 file part by part, as a MoarVM does whose index is right: layout B, or layout A with
// the new rows behind each snapshot. Layout C is never written: its index misleads the readers there are.
// The same model gives the same bytes. Borrows the sink; owns the index so far.
#pragma once

#include <optional>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v2/grammar.hpp"
#include "formats/mvmheap/v2/layout.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::mvmheap::v2 {

struct WriterOptions {
  /// Layout A: new rows behind each snapshot, so that a file that is not finished keeps its names. All
  /// readers of version 2 read both.
  bool increments = false;
};

class Writer final : public DumpWriter {
 public:
  explicit Writer(core::ByteSink& out, WriterOptions options = {}) : out_(&out), options_(options) {}

  /// Writes the snapshot of the part, in the narrowest widths; a part without one only tells what rows there
  /// are. With increments, the rows up to `part.after` follow when the next part comes or the end. What the
  /// part says of damage is not looked at; meta and highscores have no place in this version. Collectables
  /// without references are written with a refs_start of 0, as MoarVM does. Errors, all of kind unwritable:
  /// those of the sink, after which nothing more is written; and before anything is written, columns that
  /// are not equally long, or a value that has no room in its field.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Writes all rows of `tables` and the index. Errors: as write_part().
  Result<void> finish(const Tables& tables) override;

 private:
  void write_start();
  std::uint64_t write_collectables(const Collectables& collectables);
  std::uint64_t write_references(const References& references, std::uint64_t& middle);
  void write_increments(const Tables& tables, const TableCounts& last);
  template <class PutRow>
  std::uint64_t write_rows(SectionKind kind, std::uint64_t first, std::uint64_t last, const PutRow& put_row);
  std::uint64_t write_strings(const StringTable& strings, std::uint64_t first, std::uint64_t last);
  std::uint64_t write_types(const TypeTable& types, std::uint64_t first, std::uint64_t last);
  std::uint64_t write_frames(const StaticFrameTable& frames, std::uint64_t first, std::uint64_t last);
  void put_head(SectionKind kind, std::uint64_t count);
  void put(core::ByteSpan bytes);
  template <class T>
  void put_le(T value);
  void flush();
  [[nodiscard]] Result<void> result() const;

  core::ByteSink* out_;
  WriterOptions options_;
  std::vector<std::uint8_t> pending_;  // not yet with the sink
  std::uint64_t offset_ = 0;           // of the next byte in the file
  std::vector<grammar::IndexEntry> index_;
  TableCounts written_;                  // rows in increments so far
  std::optional<TableCounts> promised_;  // rows that the increment of the last snapshot ends with
  std::optional<Error> error_;           // of the sink; the first one stays
};

}  // namespace heapcheck::mvmheap::v2
