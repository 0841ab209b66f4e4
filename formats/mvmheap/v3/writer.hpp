// Writes a version 3 file part by part, as MoarVM does: same blocks in the same order, same entry
// sizes, same frames. The same model gives the same bytes. Borrows the sink; owns a compressor and
// the tables of contents so far.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::mvmheap::v3 {

struct WriterOptions {
  /// Level of zstd, from 1 to 19; others are moved there, since from 20 on a reader would need a
  /// window of 32 MiB and more. MoarVM takes 9: with its release of libzstd, frames of equal
  /// content come out byte for byte.
  int level = 9;
};

class Writer final : public DumpWriter {
 public:
  Writer(core::ByteSink& out, const FileMeta& meta, WriterOptions options = {});
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Writes a part: its snapshot, if it has one, with meta and highscores as they are, and the rows
  /// that `tables` has up to `part.after` and that are not written yet. A part without a snapshot
  /// closes the file, and highscores it may have are dropped. What the part says of damage is not looked at.
  /// When it returns, all of the part is with the sink. Errors, all of kind unwritable: those of the sink,
  /// after which nothing more is written; and before anything is written, a snapshot without its meta, tables
  /// that end before `part.after` or got shorter, a part behind the closing one. A file whose tables of
  /// contents need more entries than Limits::max_toc_entries is not written on.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Adds the closing part with the rows that are not written yet; none if a part without a snapshot
  /// was written. A file that is not finished is one of a run that was killed between two snapshots.
  /// Errors: as write_part(), and columns of a table that are not equally long.
  Result<void> finish(const Tables& tables) override;

 private:
  struct Compressor;

  [[nodiscard]] std::optional<Error> find_misuse(const mvmheap::Part& part, const Tables& tables) const;
  void write_start();
  void write_snapshot(const mvmheap::Part& part);
  void write_new_rows(const Tables& tables, const TableCounts& last);
  void write_tocs();
  std::uint64_t write_toc(const std::vector<grammar::TocEntry>& entries);
  void write_meta(BlockKind kind, std::string_view json, std::vector<grammar::TocEntry>& toc);
  void write_strings(const StringTable& strings, std::uint64_t first, std::uint64_t last);
  template <class T>
  void write_column(BlockKind kind, const Column<T>& column, std::uint64_t first, std::uint64_t last);
  template <class T>
  void write_column(BlockKind kind, const Column<T>& column) {
    write_column(kind, column, 0, column.count());
  }

  void begin_frame();
  void compress(core::ByteSpan piece, bool is_last = false);
  void put(core::ByteSpan bytes);
  template <class T>
  void put_le(T value);
  void put_kind(BlockKind kind);
  Result<void> flush();

  core::ByteSink* out_;
  FileMeta meta_;
  std::shared_ptr<Compressor> compressor_;
  std::vector<std::uint8_t> pending_;  // not yet with the sink
  std::uint64_t offset_ = 0;           // of the next byte in the file
  std::vector<grammar::TocEntry> inner_;
  std::vector<grammar::TocEntry> outer_;
  std::uint64_t toc_entries_ = 0;  // of all tables of contents
  TableCounts written_;
  bool closed_ = false;
  std::optional<Error> error_;  // of the sink or the compressor; the first one stays
};

}  // namespace heapcheck::mvmheap::v3
