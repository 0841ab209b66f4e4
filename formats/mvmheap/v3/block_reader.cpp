#include "formats/mvmheap/v3/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/core/added_bytes.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v3/faults.hpp"
#include "formats/mvmheap/v3/recognise.hpp"
#include "formats/mvmheap/v3/string_heap.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;

/// The largest number of values in a column for which every index fits in a 32-bit column.
constexpr std::uint64_t most_items = 0xFFFF'FFFE;

const Rule& rule_of(core::FrameFault fault) {
  switch (fault) {
    case core::FrameFault::magic:
      return core::rules::zstd_frame_magic;
    case core::FrameFault::dictionary:
      return core::rules::zstd_frame_dictionary;
    case core::FrameFault::window_limit:
      return core::rules::limit_frame_window;
    case core::FrameFault::expansion_limit:
      return core::rules::limit_expanded_bytes;
    case core::FrameFault::memory_limit:
      return core::rules::limit_memory;
    default:
      return core::rules::zstd_frame_corrupt;
  }
}

/// Divides the pieces of a column into complete entries, even if a piece ends inside an entry.
class EntrySplitter {
 public:
  explicit EntrySplitter(std::size_t entry_bytes) : entry_bytes_(entry_bytes) {}

  template <class Take>
  void split(ByteSpan piece, Take&& take) {
    if (rest_ != 0) {
      const std::size_t missing = std::min(entry_bytes_ - rest_, piece.size());
      std::copy_n(piece.begin(), missing, carry_.begin() + static_cast<std::ptrdiff_t>(rest_));
      rest_ += missing;
      piece = piece.subspan(missing);
      if (rest_ < entry_bytes_) return;
      take(ByteSpan(carry_).first(entry_bytes_));
    }
    rest_ = piece.size() % entry_bytes_;
    take(piece.first(piece.size() - rest_));
    std::copy(piece.end() - static_cast<std::ptrdiff_t>(rest_), piece.end(), carry_.begin());
  }
  /// The number of bytes in the incomplete last entry.
  [[nodiscard]] std::size_t rest() const { return rest_; }

 private:
  std::size_t entry_bytes_;
  std::size_t rest_ = 0;
  std::array<std::uint8_t, 8> carry_{};
};

constexpr std::uint64_t zstd_block_head_bytes = 3;

bool ends_or_fits(ByteSpan bytes, std::size_t at, std::uint64_t offset, bool at_input_end) {
  if (at > bytes.size()) return false;
  if (at == bytes.size()) return at_input_end;
  return recognise(bytes.subspan(at), offset + at).fits();
}

}  // namespace

void BlockReader::report(const Rule& rule, Span place, const std::string& path, std::string message) {
  sink_->report({&rule, {place, std::nullopt, path}, std::move(message)});
}

/// Reports a frame whose end is not in the file. If other blocks follow, the header of a zstd block states
/// the wrong size; otherwise, the file was truncated.
BlockOutcome BlockReader::judge_truncation(const std::string& path) {
  const ByteSpan rest = window_->look(far_bytes);
  if (rest.size() == far_bytes || !holds_block(rest, window_->offset())) return BlockOutcome::truncated;
  report(
      core::rules::zstd_frame_corrupt, {window_->offset(), zstd_block_head_bytes}, path,
      "zstd block extends beyond the end of the file, expected it to end before the next block of the dump");
  return BlockOutcome::lost;
}

BlockOutcome BlockReader::report_frame(const core::FrameError& error, const std::string& path) {
  if (error.fault == core::FrameFault::truncated) return judge_truncation(path);
  const Rule& rule = rule_of(error.fault);
  report(rule, error.place, path, error.message);
  return rule.stage == Stage::limit ? BlockOutcome::stopped : BlockOutcome::lost;
}

bool BlockReader::fits_memory(const BlockPart& part, const Tables& tables, std::uint64_t extra,
                              const std::string& path) {
  if (memory_.fits(memory_needed(part, tables) + extra)) return true;
  report(core::rules::limit_memory, {window_->offset(), 0}, path, memory_.describe_lack("columns"));
  return false;
}

/// Decodes the frame at the front of the window and passes its pieces to `take`, which returns whether to
/// continue. Reports a frame with a damaged magic, but still decodes it.
template <class Take>
BlockOutcome BlockReader::read_frame(Block& block, std::uint64_t declared_size, std::uint64_t size_offset,
                                     const std::string& path, Take&& take) {
  block.content.offset = window_->offset();
  auto begun = frame_.begin(*window_);
  const bool is_magic_wrong = !begun && begun.error().fault == core::FrameFault::magic;
  if (is_magic_wrong) {
    report_frame(begun.error(), path);
    begun = frame_.begin(*window_, true);
    if (!begun) return BlockOutcome::lost;
  }
  if (!begun) return report_frame(begun.error(), path);
  for (;;) {
    const auto piece = frame_.next();
    // The damage has already been reported together with the magic, but a limit is not a consequence of that
    // damage.
    if (!piece && is_magic_wrong && rule_of(piece.error().fault).stage != Stage::limit)
      return BlockOutcome::lost;
    if (!piece) return report_frame(piece.error(), path);
    if (piece->empty()) break;
    if (!take(*piece)) return BlockOutcome::stopped;
  }
  block.content.length = frame_.frame_bytes();
  block.expanded = frame_.content_bytes();
  if (declared_size != 0 && declared_size != block.content.length) {
    report(
        rules::block_size, {size_offset, sizeof(std::uint64_t)}, path,
        fmt::format("size is {}, expected {}, the size of the frame", declared_size, block.content.length));
  }
  return BlockOutcome::whole;
}

std::uint16_t BlockReader::check_entry_size(const Block& block, std::uint16_t entry_bytes,
                                            const std::string& path) {
  if (entry_bytes == 2 || entry_bytes == 4 || entry_bytes == 8) return entry_bytes;
  report(rules::column_entry_size, {block.span.offset + kind_bytes, sizeof(entry_bytes)}, path,
         fmt::format("entry size is {}, expected 2, 4 or 8", entry_bytes));
  return block.kind == BlockKind::unknown ? std::uint16_t{8} : info_of(block.kind).entry_bytes;
}

/// Takes the column at the front of the window if it was decoded before its turn. Returns whether it was
/// taken.
bool BlockReader::take_ahead(Block& block, BlockPart& part, Tables& tables) {
  ColumnAhead* const ahead = ahead_.find(*window_, block.kind, part);
  if (ahead == nullptr || part.state(block.kind) != BlockState::absent) return false;
  // The capacity of the column may differ, so the column is not taken if that could matter.
  const std::uint64_t needed = memory_needed(part, tables) + memory_needed(ahead->part, {});
  if (!memory_.has_room(2 * needed)) return false;
  const Block& found = ahead->block;
  if (!frame_.count_frame(found.content.length, found.expanded)) return false;
  move_column(block.kind, ahead->part, part);
  block.entry_bytes = found.entry_bytes;
  block.count = found.count;
  block.content = {window_->offset() + found.content.offset, found.content.length};
  block.expanded = found.expanded;
  window_->consume(static_cast<std::size_t>(found.content.offset + found.content.length));
  return true;
}

BlockOutcome BlockReader::read_column(Block& block, BlockPart& part, Tables& tables,
                                      const std::string& path) {
  const auto head = grammar::column_head(window_->peek(head_bytes(BlockShape::column)).subspan(kind_bytes));
  if (!head) return BlockOutcome::truncated;
  if (take_ahead(block, part, tables)) {
    part.show_columns();
    return BlockOutcome::whole;
  }
  block.entry_bytes = check_entry_size(block, head->entry_bytes, path);
  block.entry_bytes_hold = block.entry_bytes == head->entry_bytes;
  window_->consume(head_bytes(BlockShape::column));
  const bool is_kept = block.kind < BlockKind::colusize || part.holds_all_columns();
  if (is_kept)
    with_column(part, tables, block.kind,
                [&](auto& column) { column.reserve(expected_count(part, block.kind)); });
  EntrySplitter splitter(block.entry_bytes);
  References& references = part.snapshot.references;
  const auto take = [&](ByteSpan piece) {
    splitter.split(piece, [&](ByteSpan entries) {
      with_column(part, tables, block.kind, [&](auto& column) { column.append(entries, block.entry_bytes); });
      // The notes are updated now, while the descriptions are still in the cache.
      if (block.kind == BlockKind::refdescr) references.notes.update(references.description);
      block.count += entries.size() / block.entry_bytes;
    });
    part.show_columns();
    if (block.count > most_items) {
      report(core::rules::limit_items, {window_->offset(), 0}, path,
             fmt::format("column exceeds the limit of {} values", most_items));
      return false;
    }
    return fits_memory(part, tables, 0, path);
  };
  const std::uint64_t size_offset = block.span.offset + kind_bytes + sizeof(std::uint16_t);
  const BlockOutcome outcome = read_frame(block, head->size, size_offset, path, take);
  return outcome == BlockOutcome::whole ? finish_column(block, splitter.rest(), path) : outcome;
}

BlockOutcome BlockReader::finish_column(Block& block, std::size_t rest, const std::string& path) {
  if (rest == 0) return BlockOutcome::whole;
  report(rules::column_partial_entry, {block.span.offset + kind_bytes, sizeof(std::uint16_t)}, path,
         fmt::format("content has {}, expected a multiple of the entry size {}",
                     core::counted(block.expanded, "byte"), block.entry_bytes));
  return BlockOutcome::broken;
}

BlockOutcome BlockReader::read_strings(Block& block, BlockPart& part, Tables& tables,
                                       const std::string& path) {
  const ByteSpan head = window_->peek(head_bytes(BlockShape::strings));
  if (head.size() < head_bytes(BlockShape::strings)) return BlockOutcome::truncated;
  const auto size = grammar::block_size(head.subspan(kind_bytes));
  window_->consume(head_bytes(BlockShape::strings));
  std::vector<std::uint8_t> content;
  const auto take = [&](ByteSpan piece) {
    content.insert(content.end(), piece.begin(), piece.end());
    // The content and the strings made from the content are in memory at the same time.
    return fits_memory(part, tables, 2 * content.capacity(), path);
  };
  const BlockOutcome outcome =
      read_frame(block, size.value_or(0), block.span.offset + kind_bytes, path, take);
  if (outcome != BlockOutcome::whole) return outcome;
  const std::uint64_t first = tables.strings.count();
  if (const auto error = read_string_heap(content, tables.strings)) {
    sink_->report({&rules::strings_framing,
                   {{block.span.offset, window_->offset() - block.span.offset},
                    error->place,
                    fmt::format("/strings/{}", first + error->index)},
                   error->message});
    return BlockOutcome::broken;
  }
  block.count = tables.strings.count() - first;
  return BlockOutcome::whole;
}

BlockOutcome BlockReader::read_meta(Block& block, std::string& json, const std::string& path) {
  constexpr std::size_t head = head_bytes(BlockShape::meta);
  const ByteSpan bytes = window_->look(far_bytes);
  if (bytes.size() < head) return BlockOutcome::truncated;
  const bool at_input_end = bytes.size() < far_bytes;
  const std::uint64_t offset = window_->offset();
  const std::uint64_t size = grammar::block_size(bytes.subspan(kind_bytes)).value_or(0);
  const ByteSpan content = bytes.subspan(head);
  const auto nul = static_cast<std::size_t>(std::ranges::find(content, 0) - content.begin());
  const bool has_nul = nul < content.size();
  const bool size_fits = size != 0 && size <= content.size();

  std::size_t used = nul + 1;
  if (size_fits && size == nul + 1) {
    // the usual case: the size and the NUL match
  } else if (has_nul && ends_or_fits(bytes, head + nul + 1, offset, at_input_end)) {
    report(rules::meta_size, {offset + kind_bytes, sizeof(size)}, path,
           fmt::format("size is {}, expected {}, the length of the JSON and its NUL", size, nul + 1));
  } else if (size_fits && ends_or_fits(bytes, head + static_cast<std::size_t>(size), offset, at_input_end)) {
    used = static_cast<std::size_t>(size);
    if (content[used - 1] != 0) {
      report(rules::meta_terminator, {offset + head + used - 1, 1}, path,
             fmt::format("last byte is {:02x}, expected 00", content[used - 1]));
    }
  } else if (at_input_end && !size_fits) {
    return BlockOutcome::truncated;
  } else if (!has_nul && !size_fits) {
    report(
        core::rules::limit_items, {offset, head}, path,
        fmt::format("metadata takes {}, expected at most {}", core::counted(size, "byte"), content.size()));
    return BlockOutcome::stopped;
  } else {
    report(rules::meta_size, {offset + kind_bytes, sizeof(size)}, path,
           fmt::format("size is {}, expected one that leads to the next block", size));
    window_->consume(head);  // so that the search for the next block does not find this block again
    return BlockOutcome::lost;
  }
  json.assign(core::as_text(content.first(used - 1)));
  block.content = {offset + head, used};
  window_->consume(head + used);
  return BlockOutcome::whole;
}

BlockOutcome BlockReader::read_snapshot_meta(Block& block, BlockPart& part, const std::string& path) {
  std::string json;
  const BlockOutcome outcome = read_meta(block, json, path);
  if (outcome != BlockOutcome::whole) return outcome;
  part.meta = v3::read_snapshot_meta({core::as_bytes(json), block.content.offset}, limits_, path,
                                     part.meta_places, *sink_);
  return part.meta ? BlockOutcome::whole : BlockOutcome::broken;
}

BlockOutcome BlockReader::read_file_meta(Block& block, std::optional<FileMeta>& meta, FileMetaPlaces& places,
                                         const std::string& path) {
  std::string json;
  const BlockOutcome outcome = read_meta(block, json, path);
  if (outcome != BlockOutcome::whole) return outcome;
  meta = v3::read_file_meta({core::as_bytes(json), block.content.offset}, limits_, places, *sink_);
  return meta ? BlockOutcome::whole : BlockOutcome::broken;
}

/// Reads entries of a table of contents. Keeps entries that differ from `previous` and all entries after
/// them.
BlockOutcome BlockReader::read_toc_entries(std::uint64_t count, Toc& toc,
                                           std::span<const grammar::TocEntry> previous,
                                           const std::string& path) {
  for (std::uint64_t i = 0; i < count; ++i) {
    auto entry = grammar::toc_entry(window_->peek(grammar::toc_entry_bytes));
    if (!entry) return BlockOutcome::truncated;
    window_->consume(grammar::toc_entry_bytes);
    if (counted_ != nullptr) {
      entry->start = counted_->from_file(entry->start);
      entry->end = counted_->from_file(entry->end);
    }
    // Each outer table repeats the previous one, so keeping all entries would take a quadratic amount of
    // memory.
    if (toc.repeated == i && i < previous.size() && previous[static_cast<std::size_t>(i)] == *entry) {
      ++toc.repeated;
      continue;
    }
    if (++toc_entries_ > limits_.max_toc_entries) {
      report(core::rules::limit_items, {window_->offset() - grammar::toc_entry_bytes, 0}, path,
             fmt::format("tables of contents exceed the limit of {} entries", limits_.max_toc_entries));
      return BlockOutcome::stopped;
    }
    toc.entries.push_back(*entry);
  }
  return BlockOutcome::whole;
}

/// The closing offset that a table of contents at `start` should have. Finds out whether the offsets in the
/// file count the bytes that text mode added. spec: mvmheap/v3.md#text-mode
std::uint64_t BlockReader::find_counted_start(ByteSpan toc, std::uint64_t start) {
  const core::AddedBytes* const added = window_->added_bytes();
  if (added == nullptr) return start;
  const std::uint64_t in_file = added->to_file(start);
  if (in_file != start && find_toc_count(toc, in_file) && !find_toc_count(toc, start)) counted_ = added;
  return counted_ != nullptr ? in_file : start;
}

BlockOutcome BlockReader::read_toc(Block& block, Toc& toc, bool moved, const std::string& path,
                                   std::span<const grammar::TocEntry> previous) {
  constexpr std::size_t head = head_bytes(BlockShape::toc);
  const ByteSpan bytes = window_->look(far_bytes);
  const std::uint64_t start = window_->offset();
  if (bytes.size() < head) return BlockOutcome::truncated;
  const std::uint64_t counted_start = find_counted_start(bytes, start);
  toc.declared_count = grammar::toc_count(bytes.subspan(kind_bytes)).value_or(0);
  if (is_torn_toc(bytes, counted_start, moved, bytes.size() < far_bytes)) {
    report(rules::toc_own_start, {start, head}, path,
           fmt::format("found neither the closing offset {} nor a block after {}, expected one or the other",
                       start, core::counted(toc.declared_count, "entry")));
    // The count may be damaged, so the next block may begin anywhere after the kind.
    window_->consume(kind_bytes);
    return BlockOutcome::lost;
  }
  const std::uint64_t count = find_toc_count(bytes, counted_start).value_or(toc.declared_count);
  if (count != toc.declared_count) {
    report(rules::toc_count, {start + kind_bytes, sizeof(count)}, path,
           fmt::format("count is {}, expected {}, the number of entries before the closing offset",
                       toc.declared_count, count));
  }
  window_->consume(head);
  if (const auto outcome = read_toc_entries(count, toc, previous, path); outcome != BlockOutcome::whole)
    return outcome;
  const auto own_start = grammar::toc_start(window_->peek(sizeof(std::uint64_t)));
  if (!own_start) return BlockOutcome::truncated;
  toc.own_start = counted_ != nullptr ? counted_->from_file(*own_start) : *own_start;
  // spec: mvmheap/v3.md#quirks, narrow-ftell
  const bool is_beyond_ftell = window_->added_bytes() != nullptr && *own_start == UINT64_MAX;
  if (toc.own_start != start && !moved && !is_beyond_ftell) {
    report(rules::toc_own_start, {window_->offset(), sizeof(start)}, path,
           fmt::format("closing offset is {}, expected {}, the start of the table", toc.own_start, start));
  }
  window_->consume(sizeof(std::uint64_t));
  block.content = {start + head, count * grammar::toc_entry_bytes};
  block.count = count;
  return BlockOutcome::whole;
}

}  // namespace heapcheck::mvmheap::v3
