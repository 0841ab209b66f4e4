#include "formats/mvmheap/v3/toc_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v3/faults.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;

constexpr std::uint64_t offset_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t smallest_toc = head_bytes(BlockShape::toc) + offset_bytes;

/// The indices of the entries in the order of the blocks in the file. The front reader reads the blocks in
/// this order too, so both readers number the snapshots in the same way even if the entries are out of order.
std::vector<std::size_t> order_by_start(const Toc& toc) {
  std::vector<std::size_t> order(toc.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(toc.entries[i].start, i); });
  return order;
}

bool is_part_block(BlockKind kind) { return kind >= BlockKind::snapmeta && kind <= BlockKind::topscore; }

}  // namespace

TocReader::TocReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink)
    : SeekingReader(source, limits, sink), blocks_(window_, limits, sink) {}

bool TocReader::read_part(BlockPart& part) {
  if (begin()) read_start();
  while (!container_.stopped && next_entry_ < outer_order_.size()) {
    const std::size_t index = outer_order_[next_entry_++];
    const std::string path = fmt::format("/snapshots/{}", container_.parts);
    const Listed listed = list(outer_, outer_block_, index, path);
    if (listed.kind == BlockKind::toc) {
      read_inner_toc(listed, part);
      return true;
    }
    if (index == file_meta_entry_) continue;
    fail(rules::block_order, listed.place, path,
         fmt::format("outer table of contents lists {}, expected filemeta and one toc per part",
                     name_of(listed.kind)));
  }
  part.reset(container_.parts);
  if (!has_ended()) read_end();
  return false;
}

TocReader::Listed TocReader::list(const Toc& toc, const Block& block, std::size_t index, std::string path) {
  const grammar::TocEntry& entry = toc.entries[index];
  const Span place{block.content.offset + index * grammar::toc_entry_bytes, grammar::toc_entry_bytes};
  return {entry, find_kind(entry.kind.name()), place, std::move(path)};
}

/// Uses the last 8 bytes of the file to find the last outer table of contents. spec: mvmheap/v3.md#toc
void TocReader::read_start() {
  const std::uint64_t size = source_->byte_count();
  container_.byte_count = size;
  if (size < magic.size() + smallest_toc) {
    return fail(rules::file_truncated, {size, 0}, "",
                fmt::format("file has {}, expected at least {} to contain a table of contents",
                            core::counted(size, "byte"), magic.size() + smallest_toc));
  }
  const Span place{size - offset_bytes, offset_bytes};
  seek(place.offset);
  const auto start = grammar::toc_start(window_.peek(offset_bytes));
  if (!start) return fail(rules::file_truncated, place, "", "file ends inside its last 8 bytes");
  if (read_outer_toc(*start, place)) {
    outer_order_ = order_by_start(outer_);
    if (!container_.stopped) read_file_meta_block();
    return;
  }
  fail(rules::toc_own_start, place, "",
       fmt::format("last 8 bytes are {}, expected the start of the last table of contents", *start));
}

/// Reads the table of contents at `start` and reports any damage to it. Returns whether there is a table that
/// ends at the end of the file.
bool TocReader::read_outer_toc(std::uint64_t start, Span place) {
  if (start < magic.size() || start > container_.byte_count - smallest_toc) return false;
  seek(start);
  const auto raw = grammar::kind(window_.peek(kind_bytes));
  if (!raw || find_kind(raw->name()) != BlockKind::toc) return false;
  outer_.outer = true;
  if (!read_toc(start, outer_block_, outer_, "")) return true;
  if (outer_block_.span.end() == place.end()) return true;
  outer_.entries.clear();
  return false;
}

bool TocReader::read_toc(std::uint64_t start, Block& block, Toc& toc, const std::string& path) {
  block.kind = BlockKind::toc;
  block.part = container_.parts == 0 ? 0 : container_.parts - 1;
  block.span.offset = start;
  return settle(block, blocks_.read_toc(block, toc, container_.moved, path), path);
}

void TocReader::read_end() {
  // Bytes that no table lists may be due to damage, which would change the number of a snapshot.
  if (only_snapshot_ && !covers_file()) container_.stopped = true;
  progress_ = container_.stopped ? Progress::incomplete : Progress::complete;
  if (container_.stopped) return;
  outer_block_.part = container_.parts == 0 ? 0 : container_.parts - 1;
  outer_.block = container_.blocks.size();
  container_.blocks.push_back(outer_block_);
  container_.tocs.push_back(std::move(outer_));
}

/// Reads filemeta, which may be listed anywhere in the outer table of contents.
void TocReader::read_file_meta_block() {
  const std::string path = "/filemeta";
  const auto found = std::ranges::find_if(
      outer_.entries, [](const auto& entry) { return find_kind(entry.kind.name()) == BlockKind::filemeta; });
  if (found == outer_.entries.end()) {
    return fail(rules::block_order, outer_block_.span, path,
                "outer table of contents lists no filemeta, expected one");
  }
  file_meta_entry_ = static_cast<std::size_t>(found - outer_.entries.begin());
  const Listed listed = list(outer_, outer_block_, file_meta_entry_, path);
  if (!find_block(listed)) return;
  Block block;
  block.kind = BlockKind::filemeta;
  block.span.offset = listed.entry.start;
  const BlockOutcome outcome = blocks_.read_file_meta(block, file_meta_, file_meta_places_, path);
  if (settle(block, outcome, path)) container_.blocks.push_back(block);
}

void TocReader::read_inner_toc(const Listed& listed, BlockPart& part) {
  part.reset(container_.parts++);
  tables_.begin_part(part);
  Block block;
  Toc toc;
  const std::string path = listed.path + "/toc";
  if (find_block(listed) && read_toc(listed.entry.start, block, toc, path)) {
    read_blocks(block, toc, part);
    toc.block = container_.blocks.size();
    tables_.enter(block, toc.block, part);
    container_.blocks.push_back(block);
    container_.tocs.push_back(std::move(toc));
  }
  end_part(part);
}

/// Reads the blocks in file order, so that the window only moves forward.
void TocReader::read_blocks(const Block& block, const Toc& toc, BlockPart& part) {
  for (const std::size_t i : order_by_start(toc)) {
    if (container_.stopped) return;
    const BlockKind kind = find_kind(toc.entries[i].kind.name());
    read_block(list(toc, block, i, fmt::format("/snapshots/{}/{}", part.index, name_of(kind))), part);
  }
}

void TocReader::read_block(const Listed& listed, BlockPart& part) {
  if (!is_part_block(listed.kind) || part.state(listed.kind) != BlockState::absent) {
    return fail(rules::block_order, listed.place, listed.path,
                fmt::format("table of contents lists {}, expected each block of the part once",
                            name_of(listed.kind)));
  }
  if (!find_block(listed)) return;
  if (is_left_out(part, listed.kind)) return leave_out(listed);
  Block block;
  block.kind = listed.kind;
  block.part = part.index;
  block.span.offset = listed.entry.start;
  const BlockOutcome outcome = read_content(block, part, listed.path);
  part.has_snapshot = part.has_snapshot || listed.kind <= BlockKind::reftrget;
  if (!settle(block, outcome, listed.path)) return;
  tables_.enter(block, container_.blocks.size(), part);
  container_.blocks.push_back(block);
}

bool TocReader::is_left_out(const BlockPart& part, BlockKind kind) const {
  if (!only_snapshot_ || *only_snapshot_ == part.index) return false;
  return kind <= BlockKind::reftrget || kind == BlockKind::top_ids || kind == BlockKind::topscore;
}

/// Marks a block as read without reading it.
void TocReader::leave_out(const Listed& listed) {
  if (claim({listed.entry.start, listed.entry.end - listed.entry.start})) return;
  fail(rules::block_order, listed.place, listed.path, "entry overlaps a block that is already listed");
}

/// Whether there is nothing between the blocks except outer tables of contents that are replaced by later
/// tables. After each part, there is one such table, which lists filemeta and the parts so far.
bool TocReader::covers_file() const {
  std::uint64_t bytes = magic.size();
  for (const auto& [start, end] : claimed_) bytes += end - start;
  for (std::uint64_t parts = 1; parts < container_.parts; ++parts)
    bytes += smallest_toc + (parts + 1) * grammar::toc_entry_bytes;
  return bytes == container_.byte_count;
}

BlockOutcome TocReader::read_content(Block& block, BlockPart& part, const std::string& path) {
  switch (info_of(block.kind).shape) {
    case BlockShape::meta:
      return blocks_.read_snapshot_meta(block, part, path);
    case BlockShape::column:
      return blocks_.read_column(block, part, tables_.tables(), path);
    case BlockShape::strings:
      return blocks_.read_strings(block, part, tables_.tables(), path);
    case BlockShape::toc:
      break;
  }
  return BlockOutcome::lost;
}

/// Ends a part. The part is damaged if one of its entries could not be followed or if it has a broken block.
void TocReader::end_part(BlockPart& part) {
  part.order_known = !container_.stopped;
  tables_.end_part(part, container_.stopped);
  const bool is_broken = std::ranges::count(part.states, BlockState::broken) != 0;
  if (is_broken || !part.order_known) container_.damaged_parts.push_back(part.index);
  if (part.has_whole_snapshot) ++container_.whole_snapshots;
}

/// Moves the window to the block of an entry. Reports an entry whose block does not exist or has already been
/// read.
bool TocReader::find_block(const Listed& listed) {
  if (container_.blocks.size() >= limits_.max_blocks) {
    fail(core::rules::limit_items, listed.place, "",
         fmt::format("file exceeds the limit of {} blocks", limits_.max_blocks));
    return false;
  }
  const auto [start, end] = std::pair(listed.entry.start, listed.entry.end);
  if (start >= end || end > container_.byte_count) {
    fail(rules::block_kind, listed.place, listed.path,
         fmt::format("entry spans bytes {} to {}, expected a range inside the {} bytes of the file", start,
                     end, container_.byte_count));
    return false;
  }
  // Otherwise, a table could list a large block any number of times.
  if (is_read(start)) {
    fail(rules::block_order, listed.place, listed.path,
         fmt::format("entry points to byte {}, inside a block that is already listed", start));
    return false;
  }
  seek(start);
  const auto raw = grammar::kind(window_.peek(kind_bytes));
  if (raw && find_kind(raw->name()) == listed.kind) return true;
  fail(rules::block_kind, listed.place, listed.path,
       fmt::format("entry points to byte {}, expected the start of {}", start, name_of(listed.kind)));
  return false;
}

/// Decides how to continue after a block has been read. Returns false if nothing more can be read.
bool TocReader::settle(Block& block, BlockOutcome outcome, const std::string& path) {
  if (outcome == BlockOutcome::stopped) container_.stopped = true;
  if (outcome == BlockOutcome::truncated) {
    fail(rules::file_truncated, {block.span.offset, container_.byte_count - block.span.offset}, path,
         fmt::format("file ends inside {}", name_of(block.kind)));
  }
  if (container_.stopped) return false;
  block.whole = outcome == BlockOutcome::whole;
  block.span.length = window_.offset() - block.span.offset;
  if (claim(block.span)) return true;
  fail(rules::block_order, block.span, path, "block overlaps one that is already listed");
  return false;
}

/// Whether a byte belongs to a span that has already been read.
bool TocReader::is_read(std::uint64_t offset) const {
  const auto next = claimed_.upper_bound(offset);
  return next != claimed_.begin() && std::prev(next)->second > offset;
}

/// Marks a span as read. Returns false if it overlaps a span that is already marked. This way, no byte is
/// decoded more than twice, no matter how often a hostile table of contents lists it.
bool TocReader::claim(Span span) {
  const auto next = claimed_.lower_bound(span.offset);
  if (is_read(span.offset) || (next != claimed_.end() && next->first < span.end())) return false;
  claimed_.emplace(span.offset, span.end());
  return true;
}

/// Reports a finding and stops.
void TocReader::fail(const Rule& rule, Span place, const std::string& path, std::string message) {
  container_.stopped = true;
  report(rule, place, path, std::move(message));
}

}  // namespace heapcheck::mvmheap::v3
