// Reads the content of one block at the front of a window into a part and the shared tables. Both readers use
// it: the front reader (reader.hpp) and the reader that follows the tables of contents (toc_reader.hpp).
// Borrows everything except its decoder.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/memory_budget.hpp"
#include "formats/core/window.hpp"
#include "formats/core/zstd_frame.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v3/columns/ahead.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap::v3 {

/// The result of reading a block's content.
enum class BlockOutcome {
  whole,      ///< the block was read completely, and the window is after it
  broken,     ///< the block is unusable, and the window is after it
  lost,       ///< the block is unusable and its end is unknown, and the window is at the damage
  truncated,  ///< the input ends inside the block
  stopped,    ///< a limit was reached
};

class BlockReader {
 public:
  BlockReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
      : window_(&window),
        limits_(limits),
        memory_(limits.max_memory),
        sink_(&sink),
        frame_(limits),
        ahead_(limits) {}

  /// Reads a column into the part or the tables. If `block.kind` is unknown, the values are dropped. Fills in
  /// the content, sizes and count of the block.
  BlockOutcome read_column(Block& block, BlockPart& part, Tables& tables, const std::string& path);
  BlockOutcome read_strings(Block& block, BlockPart& part, Tables& tables, const std::string& path);
  /// Reads the JSON of a meta block, without its NUL, into `json`.
  BlockOutcome read_meta(Block& block, std::string& json, const std::string& path);
  /// These functions read a meta block and parse its JSON into the part or into `meta`.
  BlockOutcome read_snapshot_meta(Block& block, BlockPart& part, const std::string& path);
  BlockOutcome read_file_meta(Block& block, std::optional<FileMeta>& meta, FileMetaPlaces& places,
                              const std::string& path);
  /// The caller sets `toc.block` and `toc.outer`. If `moved` is true, offsets are not checked. `previous`
  /// contains the entries that an outer table may repeat.
  BlockOutcome read_toc(Block& block, Toc& toc, bool moved, const std::string& path,
                        std::span<const grammar::TocEntry> previous = {});

 private:
  template <class Take>
  BlockOutcome read_frame(Block& block, std::uint64_t declared_size, std::uint64_t size_offset,
                          const std::string& path, Take&& take);
  BlockOutcome judge_truncation(const std::string& path);
  BlockOutcome report_frame(const core::FrameError& error, const std::string& path);
  std::uint16_t check_entry_size(const Block& block, std::uint16_t entry_bytes, const std::string& path);
  bool take_ahead(Block& block, BlockPart& part, Tables& tables);
  BlockOutcome finish_column(Block& block, std::size_t rest, const std::string& path);
  BlockOutcome read_toc_entries(std::uint64_t count, Toc& toc, std::span<const grammar::TocEntry> previous,
                                const std::string& path);
  std::uint64_t find_counted_start(core::ByteSpan toc, std::uint64_t start);
  void report(const Rule& rule, Span place, const std::string& path, std::string message);
  bool fits_memory(const BlockPart& part, const Tables& tables, std::uint64_t extra, const std::string& path);

  core::Window* window_;
  Limits limits_;
  core::MemoryBudget memory_;
  core::FindingSink* sink_;
  core::ZstdFrame frame_;
  ColumnsAhead ahead_;
  // The bytes that text mode added, if offsets in tables of contents count them; otherwise null.
  const core::AddedBytes* counted_ = nullptr;
  std::uint64_t toc_entries_ = 0;  // the number of entries kept from all tables of contents
};

}  // namespace heapcheck::mvmheap::v3
