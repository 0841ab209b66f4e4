// Reads a version 3 file from the end: its last 8 bytes lead to the last outer table of contents, which leads
// to the inner tables, which in turn lead to the blocks. For content that the front reader (reader.hpp) also
// finds, the results are the same. Owns the shared tables and the container; borrows the source and the sink.
#pragma once

#include <map>
#include <optional>

#include "formats/mvmheap/base_readers.hpp"
#include "formats/mvmheap/v3/block_reader.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "formats/mvmheap/v3/shared_tables.hpp"

namespace heapcheck::mvmheap::v3 {

class TocReader final : public SeekingReader {
 public:
  /// `source` must be a complete file whose magic the caller has checked with is_v3().
  TocReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);

  /// Makes the reader skip the snapshots of all other parts. Only the rows of the shared tables are read from
  /// those parts.
  void read_only_snapshot(std::uint64_t index) { only_snapshot_ = index; }

  /// Reads the blocks listed in the next inner table of contents. Returns false if there is none. Reports
  /// faults in the content of blocks. If the tables of contents cannot be followed, reports
  /// mvm3.toc.own-start, mvm3.toc.count, mvm3.block.kind (the block is not at the start that its entry
  /// states), mvm3.block.order (a block is listed twice or in the wrong table) or mvm3.file.truncated, and
  /// stops there.
  bool read_part(BlockPart& part);

  /// Contains `filemeta`, then the blocks of each part in file order, and then the last outer table of
  /// contents. These are the same blocks as in the front reader's container, except for outdated outer
  /// tables.
  [[nodiscard]] const BlockContainer& container() const { return container_; }
  /// The shared tables as of the last part that was read.
  [[nodiscard]] const Tables& tables() const { return tables_.tables(); }
  /// The content of `filemeta`. Empty before the first part is read, or if the block is damaged or not
  /// listed.
  [[nodiscard]] const std::optional<FileMeta>& file_meta() const { return file_meta_; }
  [[nodiscard]] const FileMetaPlaces& file_meta_places() const { return file_meta_places_; }

 private:
  /// An entry in a table of contents, with its position in the file.
  struct Listed {
    grammar::TocEntry entry;
    BlockKind kind = BlockKind::unknown;
    Span place;
    std::string path;
  };

  [[nodiscard]] static Listed list(const Toc& toc, const Block& block, std::size_t index, std::string path);
  void read_start();
  void read_end();
  bool read_toc(std::uint64_t start, Block& block, Toc& toc, const std::string& path);
  bool read_outer_toc(std::uint64_t start, Span place);
  void read_file_meta_block();
  void read_inner_toc(const Listed& listed, BlockPart& part);
  void read_blocks(const Block& block, const Toc& toc, BlockPart& part);
  void read_block(const Listed& listed, BlockPart& part);
  BlockOutcome read_content(Block& block, BlockPart& part, const std::string& path);
  void end_part(BlockPart& part);

  bool find_block(const Listed& listed);
  bool settle(Block& block, BlockOutcome outcome, const std::string& path);
  [[nodiscard]] bool is_left_out(const BlockPart& part, BlockKind kind) const;
  void leave_out(const Listed& listed);
  [[nodiscard]] bool covers_file() const;
  [[nodiscard]] bool is_read(std::uint64_t offset) const;
  bool claim(Span span);
  void fail(const Rule& rule, Span place, const std::string& path, std::string message);

  BlockReader blocks_;
  BlockContainer container_;
  SharedTables tables_;
  std::optional<FileMeta> file_meta_;
  FileMetaPlaces file_meta_places_{};
  Block outer_block_;
  Toc outer_;
  std::optional<std::uint64_t> only_snapshot_;
  std::vector<std::size_t> outer_order_;            // the entries of the outer table, sorted by start
  std::size_t next_entry_ = 0;                      // an index into outer_order_
  std::size_t file_meta_entry_ = 0;                 // an index into the same table
  std::map<std::uint64_t, std::uint64_t> claimed_;  // the starts and ends of the spans read or left out
};

}  // namespace heapcheck::mvmheap::v3
