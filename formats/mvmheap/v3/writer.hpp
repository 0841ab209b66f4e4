// Writes a version 3 file part by part, as MoarVM does: with the same blocks in the same order, and with the
// same entry sizes and frames. The same model always yields the same bytes. Borrows the sink, and owns a
// compressor and the tables of contents written so far.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::mvmheap::v3 {

struct WriterOptions {
  /// The zstd level, from 1 to 19. Other levels are clamped to this range, because at level 20 and above, a
  /// reader would need a window of 32 MiB or more. MoarVM uses 9. With the same release of libzstd, the same
  /// content yields exactly the same frames.
  int level = 9;
  /// Each part ends with a table of all parts so far, so the tables for n snapshots take up 12 n² bytes, and
  /// a few megabytes in a different version could become terabytes. The total size of the tables in bytes
  /// must not exceed this value or the size of the rest of the file, whichever is larger.
  std::uint64_t most_table_bytes = std::uint64_t{1} << 30U;
};

class Writer final : public DumpWriter {
 public:
  Writer(core::ByteSink& out, FileMeta meta, WriterOptions options = {});
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Writes a part: its snapshot, if it has one, with unchanged metadata and highscores, and the rows of
  /// `tables` up to `part.after` that have not been written yet. A part without a snapshot closes the file;
  /// any highscores in such a part are dropped. The fields about damage are ignored. When the function
  /// returns, the whole part has been passed to the sink. Errors: the errors of the sink, after which nothing
  /// more is written. Before anything is written: unwritable for a snapshot without metadata, for tables that
  /// end before `part.after` or have become shorter, and for a part after the closing part; limit if the
  /// tables of contents have become too large.
  Result<void> write_part(const mvmheap::Part& part, const Tables& tables) override;

  /// Adds the closing part with the rows that have not been written yet, unless a part without a snapshot was
  /// written. Without this call, the file looks as if the process had been killed between two snapshots.
  /// Errors: the same as for write_part(), and columns of a table that differ in length.
  Result<void> finish(const Tables& tables) override;

 private:
  struct Compressor;

  [[nodiscard]] std::optional<Error> find_excess() const;
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
  void write_pending();
  Result<void> flush();

  core::ByteSink* out_;
  FileMeta meta_;
  std::shared_ptr<Compressor> compressor_;
  std::vector<std::uint8_t> pending_;  // bytes that have not been passed to the sink yet
  std::uint64_t offset_ = 0;           // the offset of the next byte in the file
  std::vector<grammar::TocEntry> inner_;
  std::vector<grammar::TocEntry> outer_;
  std::uint64_t outer_byte_count_ = 0;  // the size of all outer tables of contents so far
  std::uint64_t most_table_bytes_;
  TableCounts written_;
  bool closed_ = false;
  std::optional<Error> error_;  // the first error of the sink or the compressor
};

}  // namespace heapcheck::mvmheap::v3
