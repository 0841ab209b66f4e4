// Reads a version 3 file from front to back, part by part. Readable content goes into the model and the
// container, and everything else is reported. The reader never seeks, so it can also read a pipe or a
// truncated file. It owns the shared tables and the container, and borrows the window and the sink. The
// window needs a capacity of 256 KiB.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/mvmheap/base_readers.hpp"
#include "formats/mvmheap/v3/block_reader.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "formats/mvmheap/v3/recognise.hpp"
#include "formats/mvmheap/v3/sequence.hpp"
#include "formats/mvmheap/v3/shared_tables.hpp"

namespace heapcheck::mvmheap::v3 {

/// Whether a file that begins with these bytes is a version 3 heap dump.
bool is_v3(core::ByteSpan first_bytes);

/// The path of a block, such as `/snapshots/2/colkind`, or `/snapshots/2` if its kind is unknown.
std::string path_of(std::uint64_t part, BlockKind kind);

class FrontReader final : public WindowReader {
 public:
  /// `window` must be at the magic, which the caller has checked with is_v3().
  FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink);

  /// Reads to the end of the next part. Returns false if there is none. Reports violations of the rules in
  /// faults.hpp and of the rules for zstd frames and limits. After damage that hides the starts of blocks,
  /// continues with the next block that can be recognised.
  bool read_part(BlockPart& part);

  [[nodiscard]] const BlockContainer& container() const { return container_; }
  /// The shared tables as of the last part that was read.
  [[nodiscard]] const Tables& tables() const { return tables_.tables(); }
  /// The content of `filemeta`. Empty before the first part is read, or if the block is missing or damaged.
  [[nodiscard]] const std::optional<FileMeta>& file_meta() const { return file_meta_; }
  [[nodiscard]] const FileMetaPlaces& file_meta_places() const { return file_meta_places_; }
  /// Whether the file ends with a part without a snapshot, as written at the end of a run.
  [[nodiscard]] bool is_finished() const { return finished_; }
  /// Whether the file was read to its end and ends after a complete part.
  [[nodiscard]] bool is_complete() const { return progress_ == Progress::complete; }

 private:
  enum class Progress : std::uint8_t {
    not_begun,
    parts,
    at_limit,  ///< the rest is not read
    complete,  ///< the input was read to its end, which comes after a complete part
  };

  void read_start();
  void read_end();
  bool begin_part(BlockPart& part);
  void end_part(BlockPart& part);
  void read_block(BlockPart& part);
  bool ends_before(const BlockPart& part, const Recognised& found);
  bool begins_part();
  void end_early(BlockPart& part, BlockKind found);
  bool resumes(BlockPart& part);
  void resume_at(BlockPart& part, BlockKind kind);
  void record_gap(const BlockPart& part, BlockKind kind);
  BlockKind judge_kind(BlockPart& part, const Recognised& found, BlockShape shape);
  BlockKind judge_order(BlockPart& part, BlockKind kind);
  void remember_toc();
  void skip_repeated_toc();
  void report_order(const BlockPart& part, BlockKind found);
  [[nodiscard]] BlockKind find_omitted(const BlockPart& part);
  void check_omitted(const BlockPart& part);
  [[nodiscard]] ListedBlocks find_listed(const BlockPart& part) const;
  void read_content(BlockPart& part, BlockKind kind, BlockShape shape);
  BlockOutcome read_by_shape(Block& block, BlockShape shape, BlockPart& part, const std::string& path);
  BlockOutcome read_meta(Block& block, BlockPart& part, const std::string& path);
  BlockOutcome read_toc(BlockPart& part, Block& block, const std::string& path);
  void settle(Block& block, BlockPart& part, BlockOutcome outcome, const std::string& path);
  void find_block_after_damage();
  bool skip_gap(const std::string& path, const std::string& expected);
  bool is_at_block();
  Recognised look();
  void report_truncation(std::uint64_t start, const std::string& path, const std::string& inside);
  void stop() { container_.stopped = true; }
  void mark_damaged(std::uint64_t part);

  core::Tally tally_;  // records errors, after which offsets may be shifted
  BlockReader blocks_;
  BlockContainer container_;
  std::vector<grammar::TocEntry> outer_entries_;  // the entries of the last outer table of contents
  std::vector<std::uint8_t> toc_bytes_;           // the last table of contents
  SharedTables tables_;
  std::optional<FileMeta> file_meta_;
  FileMetaPlaces file_meta_places_{};
  Sequence sequence_;
  Progress progress_ = Progress::not_begun;
  bool finished_ = false;
  // The kind of a block that came too early, and the place at which it occurred.
  std::optional<std::pair<BlockKind, Sequence>> early_;
  std::size_t part_start_ = 0;        // the index of the part's first block in the container
  bool was_past_ = false;             // whether the last block came too late and was left out
  bool order_quiet_ = false;          // whether earlier damage explains misplaced blocks in this part
  bool ended_early_ = false;          // whether the last part ended without its tables of contents
  std::uint64_t open_parts_ = 0;      // the number of parts directly before this one that ended early
  std::uint64_t repeated_parts_ = 0;  // the number of such parts that were only the beginnings of other parts
  std::uint64_t gap_bytes_ = 0;  // the number of bytes directly before the next block in which blocks may be
                                 // hidden
};

}  // namespace heapcheck::mvmheap::v3
