#include "formats/mvmheap/v3/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v3/faults.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;

constexpr std::size_t look_ahead = 64;

/// Describes a raw kind for a message, as text if it is printable and otherwise as bytes.
std::string describe(const grammar::RawKind& raw) {
  const std::string_view name = raw.name();
  const bool printable =
      !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7F; });
  if (printable) return fmt::format("\"{}\"", name);
  std::string bytes;
  for (const char c : raw.bytes)
    bytes += fmt::format("{}{:02x}", bytes.empty() ? "" : " ", static_cast<unsigned char>(c));
  return bytes;
}

/// Whether a table of contents begins like an outer table, with an entry for the block after the magic.
bool lists_file(ByteSpan toc) {
  const auto first = grammar::toc_entry(toc.subspan(std::min(toc.size(), head_bytes(BlockShape::toc))));
  return grammar::toc_count(toc.subspan(std::min(toc.size(), kind_bytes))).value_or(0) != 0 && first &&
         find_kind(first->kind.name()) == BlockKind::filemeta && first->start == magic.size();
}

/// Whether a block looks like filemeta, regardless of its kind.
bool holds_file_meta(ByteSpan bytes) {
  constexpr std::size_t looked_at = 256;
  return core::as_text(bytes.first(std::min(bytes.size(), looked_at))).find("\"subversion\"") !=
         std::string_view::npos;
}

/// Whether `bytes` could be the beginning of a block's head that was cut off.
bool is_cut_head(ByteSpan bytes) {
  if (bytes.size() >= head_bytes(BlockShape::column) + sizeof(std::uint32_t)) return false;
  return std::ranges::any_of(kinds, [bytes](const KindInfo& info) {
    std::string padded(info.name);
    padded.resize(kind_bytes, '\0');
    const std::size_t length = std::min(bytes.size(), kind_bytes);
    return core::as_text(bytes.first(length)) == std::string_view(padded).substr(0, length);
  });
}

}  // namespace

std::string path_of(std::uint64_t part, BlockKind kind) {
  if (kind == BlockKind::unknown) return fmt::format("/snapshots/{}", part);
  return fmt::format("/snapshots/{}/{}", part, name_of(kind));
}

bool is_v3(ByteSpan first_bytes) { return grammar::magic(first_bytes); }

FrontReader::FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
    : WindowReader(window, limits, sink), tally_(sink), blocks_(window, limits, tally_) {
  sink_ = &tally_;
}

void FrontReader::mark_damaged(std::uint64_t part) {
  auto& parts = container_.damaged_parts;
  if (parts.empty() || parts.back() != part) parts.push_back(part);
}

/// Reads the magic and the filemeta block.
void FrontReader::read_start() {
  progress_ = Progress::parts;
  window_->skip(magic.size());
  if (window_->at_end()) return report_truncation(window_->offset(), "", "");
  skip_gap("/filemeta", "filemeta");
  if (container_.stopped) return;
  if (is_cut_head(window_->look(look_ahead))) return report_truncation(window_->offset(), "/filemeta", "");
  const Recognised found = look();
  const Span place{window_->offset(), kind_bytes};
  if (found.named == BlockKind::unknown && found.shape == BlockShape::meta) {
    report(rules::block_kind, place, "/filemeta",
           fmt::format("kind is {}, expected filemeta", describe(found.raw)));
  } else if (found.named != BlockKind::filemeta) {
    report(rules::block_order, place, "/filemeta",
           fmt::format("found {}, expected filemeta", describe(found.raw)));
    // Either filemeta has a damaged kind, or it is missing and the first part begins here.
    if (!holds_file_meta(window_->look(far_bytes))) return;
  }
  BlockPart none;
  read_content(none, BlockKind::filemeta, BlockShape::meta);
}

bool FrontReader::read_part(BlockPart& part) {
  if (progress_ == Progress::not_begun) read_start();
  if (!begin_part(part)) return false;
  while (!container_.stopped && (!sequence_.at_end() || resumes(part))) read_block(part);
  end_part(part);
  return true;
}

bool FrontReader::begin_part(BlockPart& part) {
  part.reset(container_.parts);
  sequence_ = Sequence();
  early_.reset();
  was_past_ = false;
  part_start_ = container_.blocks.size();
  skip_repeated_toc();
  const bool goes_on = std::exchange(ended_early_, false);
  order_quiet_ = goes_on || gap_bytes_ != 0;
  const bool may_go_on = !container_.stopped && !finished_ && !window_->at_end();
  if (may_go_on) skip_gap(path_of(part.index, BlockKind::unknown), sequence_.describe_expected());
  if (container_.stopped || finished_ || window_->at_end()) {
    read_end();
    return false;
  }
  tables_.begin_part(part);
  ++container_.parts;
  return true;
}

void FrontReader::end_part(BlockPart& part) {
  const ListedBlocks listed = find_listed(part);
  tables_.end_part(part, container_.stopped, listed);
  if (listed.has_open_parts) repeated_parts_ += open_parts_;
  open_parts_ = listed.is_open ? open_parts_ + 1 : 0;
  finished_ = sequence_.at_end() && !part.has_snapshot && gap_bytes_ == 0 && !order_quiet_;
  // After damage, a misplaced table of contents may look like the end.
  if (finished_ && !tally_.clean() && !window_->at_end() && look().fits()) finished_ = false;
}

/// Checks that nothing follows the last part.
void FrontReader::read_end() {
  const std::uint64_t offset = window_->offset();
  if (window_->at_end() && !container_.stopped) {
    if (window_->error()) report_truncation(offset, "", "");
    if (container_.parts == 0 && !container_.stopped) report_truncation(offset, "", "");
    if (!container_.stopped) progress_ = Progress::complete;
  } else if (finished_ && !container_.stopped) {
    const std::uint64_t rest = window_->skip_to_end();
    report(
        rules::file_trailing_bytes, {offset, rest}, "",
        fmt::format("found {} after the last table of contents, expected none", core::counted(rest, "byte")));
  }
  stop();
  if (progress_ != Progress::at_limit) window_->skip_to_end();
  container_.byte_count = window_->offset() + window_->look_ahead(core::Window::default_capacity).size();
}

void FrontReader::read_block(BlockPart& part) {
  skip_repeated_toc();
  const std::uint64_t start = window_->offset();
  if (window_->at_end()) {
    return report_truncation(start, fmt::format("/snapshots/{}", part.index), "");
  }
  if (container_.blocks.size() >= limits_.max_blocks) {
    report(core::rules::limit_items, {start, 0}, "",
           fmt::format("file exceeds the limit of {} blocks", limits_.max_blocks));
    progress_ = Progress::at_limit;
    return stop();
  }
  const std::string path = path_of(part.index, BlockKind::unknown);
  if (skip_gap(path, sequence_.describe_expected())) return;
  const Recognised found = look();
  // There is no gap, so this is the beginning of a head that was cut off by the end of the input.
  if (found.named == BlockKind::unknown && !found.shape) return report_truncation(start, path, "");
  if (found.fits()) resume_at(part, found.named);
  if (ends_before(part, found)) return end_early(part, found.named);
  const BlockShape shape = found.shape ? *found.shape : info_of(found.named).shape;
  read_content(part, judge_kind(part, found, shape), shape);
}

/// Determines the kind of a block. Reports a kind that does not match the content or is out of order.
BlockKind FrontReader::judge_kind(BlockPart& part, const Recognised& found, BlockShape shape) {
  const Span place{window_->offset(), kind_bytes};
  if (found.named == BlockKind::unknown || info_of(found.named).shape != shape) {
    const BlockKind only =
        order_quiet_ ? BlockKind::unknown : sequence_.only_expected(shape).value_or(BlockKind::unknown);
    report(rules::block_kind, place, path_of(part.index, only),
           fmt::format("kind is {} before {}, expected {}", describe(found.raw), name_of(shape),
                       sequence_.describe_expected()));
    if (only == BlockKind::unknown) order_quiet_ = true;
    return only;
  }
  if (!found.raw.is_padded()) {
    report(
        rules::block_kind_padding, place, path_of(part.index, found.named),
        fmt::format("padding of {} is not NUL, a quirk of MoarVM 2020.05 to 2020.12", name_of(found.named)));
  }
  return judge_order(part, found.named);
}

void FrontReader::read_content(BlockPart& part, BlockKind kind, BlockShape shape) {
  Block block;
  block.kind = kind;
  block.part = part.index;
  block.span.offset = window_->offset();
  gap_bytes_ = 0;
  const std::string path = kind == BlockKind::filemeta ? "/filemeta"
                           : kind == BlockKind::toc    ? fmt::format("/tocs/{}", container_.tocs.size())
                                                       : path_of(part.index, kind);
  const BlockOutcome outcome = read_by_shape(block, shape, part, path);
  settle(block, part, outcome, path);
}

BlockOutcome FrontReader::read_by_shape(Block& block, BlockShape shape, BlockPart& part,
                                        const std::string& path) {
  switch (shape) {
    case BlockShape::meta:
      return read_meta(block, part, path);
    case BlockShape::column:
      return blocks_.read_column(block, part, tables_.tables(), path);
    case BlockShape::strings: {
      Tables unused;  // receives strings that belong elsewhere
      const bool is_known = block.kind == BlockKind::strings;
      return blocks_.read_strings(block, part, is_known ? tables_.tables() : unused, path);
    }
    case BlockShape::toc:
      return read_toc(part, block, path);
  }
  return BlockOutcome::lost;
}

BlockOutcome FrontReader::read_meta(Block& block, BlockPart& part, const std::string& path) {
  if (block.kind == BlockKind::filemeta && !file_meta_ && container_.blocks.empty())
    return blocks_.read_file_meta(block, file_meta_, file_meta_places_, path);
  if (block.kind == BlockKind::snapmeta) return blocks_.read_snapshot_meta(block, part, path);
  std::string json;
  return blocks_.read_meta(block, json, path);
}

BlockOutcome FrontReader::read_toc(BlockPart& part, Block& block, const std::string& path) {
  remember_toc();
  Toc toc;
  toc.block = container_.blocks.size();
  toc.outer = sequence_.at_outer_toc();
  if (!toc.outer && lists_file(window_->look(look_ahead))) {
    toc.outer = true;
    mark_damaged(part.index);
    if (std::exchange(order_quiet_, true)) {
      container_.moved = true;
    } else {
      report(rules::block_order, {block.span.offset, kind_bytes}, path,
             "found an outer table of contents, expected an inner one before it");
    }
    sequence_.advance(BlockKind::toc);
  }
  if (!toc.outer && tally_.clean()) check_omitted(part);
  // After an error, bytes may have been lost or added, so that offsets are shifted.
  const bool had_errors = !tally_.clean();
  const auto previous = toc.outer ? std::span(outer_entries_) : std::span<grammar::TocEntry>();
  const BlockOutcome outcome = blocks_.read_toc(block, toc, container_.moved || had_errors, path, previous);
  container_.moved = container_.moved || outcome == BlockOutcome::lost;
  if (outcome != BlockOutcome::whole) return outcome;
  const bool may_be_moved = had_errors || window_->added_bytes() != nullptr;
  if (toc.own_start != block.span.offset && may_be_moved) container_.moved = true;
  if (toc.outer) update_entries(outer_entries_, toc);
  container_.tocs.push_back(std::move(toc));
  return outcome;
}

/// Adds a block to the container and the part. If the block is damaged, finds the next block.
void FrontReader::settle(Block& block, BlockPart& part, BlockOutcome outcome, const std::string& path) {
  const bool is_cut = outcome == BlockOutcome::truncated || outcome == BlockOutcome::stopped;
  if (is_cut && block.kind != BlockKind::unknown && part.is_whole(block.kind)) {
    // The values of a second, truncated block of this kind were added to the column of the first block.
    part.states[static_cast<std::size_t>(block.kind)] = BlockState::broken;
  }
  if (outcome == BlockOutcome::truncated) {
    return report_truncation(block.span.offset, path, std::string(name_of(block.kind)));
  }
  if (outcome == BlockOutcome::stopped) {
    progress_ = Progress::at_limit;
    return stop();
  }
  block.whole = outcome == BlockOutcome::whole;
  if (outcome == BlockOutcome::lost) {
    if (window_->offset() == block.span.offset)
      window_->skip(1);  // so that the search does not find the damaged block again
    find_block_after_damage();
  }
  block.span.length = window_->offset() - block.span.offset;
  if (block.kind != BlockKind::filemeta) sequence_.advance(block.kind);
  part.has_snapshot = sequence_.has_snapshot();
  tables_.enter(block, container_.blocks.size(), part);
  if (!block.whole && block.kind != BlockKind::filemeta) mark_damaged(part.index);
  container_.blocks.push_back(block);
  if (part.has_all_snapshot_blocks() && block.kind == BlockKind::topscore) ++container_.whole_snapshots;
}

/// Moves to the next block. It is unknown how many blocks the damage has hidden.
void FrontReader::find_block_after_damage() {
  const std::uint64_t start = window_->offset();
  if (!find_next_block(*window_)) stop();
  order_quiet_ = true;
  gap_bytes_ = std::max<std::uint64_t>(window_->offset() - start, 1);
}

/// Skips bytes outside any block, up to the next block. Returns whether there were any. Ends reading if no
/// block follows.
bool FrontReader::skip_gap(const std::string& path, const std::string& expected) {
  const std::uint64_t start = window_->offset();
  if (is_at_block() || is_cut_head(window_->look(look_ahead))) return false;
  const grammar::RawKind raw = recognise(window_->look(look_ahead), start).raw;
  find_block_after_damage();
  container_.moved = true;
  const Span place{start, window_->offset() - start};
  if (container_.stopped && sequence_.at_start() && container_.parts != 0) {
    report(rules::file_trailing_bytes, place, "",
           fmt::format("found {} after the last table of contents, expected none",
                       core::counted(place.length, "byte")));
  } else {
    report(rules::block_unaccounted, place, path,
           fmt::format("found {} starting with {} outside any block, expected {}",
                       core::counted(place.length, "byte"), describe(raw), expected));
  }
  return true;
}

/// Whether there is a recognisable block at the front of the window.
bool FrontReader::is_at_block() {
  const Recognised found = look();
  return found.named != BlockKind::unknown || found.shape;
}

/// Recognises the block at the front of the window. A table of contents may fill the whole window.
Recognised FrontReader::look() {
  const Recognised found = recognise(window_->look(look_ahead), window_->offset());
  return found.fits() ? found : recognise(window_->look(far_bytes), window_->offset());
}

void FrontReader::report_truncation(std::uint64_t start, const std::string& path, const std::string& inside) {
  window_->skip_to_end();
  stop();
  const Span place{start, window_->offset() - start};
  if (report_input_failure(place, path, container_.whole_snapshots)) return;
  const std::string where =
      inside.empty()
          ? fmt::format("before {}", container_.blocks.empty() ? "filemeta" : sequence_.describe_expected())
          : "inside " + inside;
  report(rules::file_truncated, place, path,
         fmt::format("file ends {}, expected a final table of contents; {}", where,
                     count_whole_snapshots(container_.whole_snapshots)));
}

}  // namespace heapcheck::mvmheap::v3
