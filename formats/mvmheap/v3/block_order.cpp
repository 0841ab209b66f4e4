// Decides where the front reader continues when blocks are missing, duplicated or out of order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <utility>

#include "formats/mvmheap/v3/faults.hpp"
#include "formats/mvmheap/v3/reader.hpp"

namespace heapcheck::mvmheap::v3 {

/// Whether the part ends before this block, because the block belongs to a later part.
bool FrontReader::ends_before(const BlockPart& part, const Recognised& found) {
  if (!found.fits() || sequence_.is_ahead(found.named) || sequence_.at_start()) return false;
  const bool is_again = sequence_.is_after(found.named) && part.state(found.named) != BlockState::absent;
  if (is_again) return false;
  return gap_bytes_ != 0 || was_past_ || (found.named == BlockKind::snapmeta && begins_part());
}

/// Whether the metadata at the front of the window is followed by the first column, as in a part.
bool FrontReader::begins_part() {
  const core::ByteSpan bytes = window_->look(far_bytes);
  const std::size_t head = head_bytes(BlockShape::meta);
  const std::uint64_t size = grammar::block_size(bytes.subspan(kind_bytes)).value_or(0);
  if (bytes.size() < head || size > bytes.size() - head) return true;
  const auto next = grammar::kind(bytes.subspan(head + static_cast<std::size_t>(size)));
  const BlockKind kind = next ? find_kind(next->name()) : BlockKind::unknown;
  return kind == BlockKind::colkind || kind == BlockKind::unknown;
}

/// Ends a part whose last blocks were lost before a block of kind `found`.
void FrontReader::end_early(BlockPart& part, BlockKind found) {
  report_order(part, found);
  ended_early_ = true;
  tables_.lose(sequence_.next_kind(), BlockKind::toc);
  mark_damaged(part.index);
  container_.moved = true;
  sequence_.end();
}

/// Marks tables as unknown if they may have had blocks in the gap before a block of `kind`.
void FrontReader::record_gap(const BlockPart& part, BlockKind kind) {
  // If a gap before a part is too large to contain only tables of contents, it may have contained another
  // part.
  constexpr std::uint64_t other_entries = 80;
  if (sequence_.at_start() && gap_bytes_ / grammar::toc_entry_bytes > other_entries + container_.parts)
    tables_.lose_part();
  tables_.lose(sequence_.next_kind(), kind);
  mark_damaged(part.index);
}

/// Whether the part continues after its apparent end.
bool FrontReader::resumes(BlockPart& part) {
  if (!early_ || window_->at_end()) return false;
  const Recognised found = look();
  if (found.fits()) resume_at(part, found.named);
  return !sequence_.at_end();
}

/// If a block came too early and a block of `kind` belongs in the place before it, the early block belongs
/// elsewhere. In this case, forgets the early block and returns to that place.
void FrontReader::resume_at(BlockPart& part, BlockKind kind) {
  if (!early_) return;
  const auto [early, place] = *std::exchange(early_, std::nullopt);
  const bool may_begin_part = kind == BlockKind::snapmeta || kind == BlockKind::toc;
  if (sequence_.is_ahead(kind) || may_begin_part || !place.is_ahead(kind)) return;
  tables_.forget(part, early);
  sequence_ = place;
}

/// Returns the kind under which to read a block. This is `unknown` if the block came too late, so that its
/// place is not known.
BlockKind FrontReader::judge_order(BlockPart& part, BlockKind kind) {
  const bool is_allowed = sequence_.allows(kind);
  const bool is_ahead = sequence_.is_ahead(kind);
  if (gap_bytes_ != 0 || (is_ahead && !is_allowed)) record_gap(part, kind);
  was_past_ = false;
  if (is_allowed) return kind;
  report_order(part, kind);
  if (is_ahead && gap_bytes_ == 0) early_ = {kind, sequence_};
  const bool is_again = sequence_.is_after(kind) && part.state(kind) != BlockState::absent;
  if (is_again && !part.is_whole(kind)) tables_.forget(part, kind);
  if (is_ahead || is_again) return kind;
  was_past_ = true;
  return BlockKind::unknown;
}

/// Reports a block that is out of order, unless earlier damage explains it.
void FrontReader::report_order(const BlockPart& part, BlockKind found) {
  mark_damaged(part.index);
  if (std::exchange(order_quiet_, true)) return;
  const bool is_again = !container_.blocks.empty() && container_.blocks.back().kind == found;
  report(rules::block_order, {window_->offset(), kind_bytes}, path_of(part.index, found),
         fmt::format("found {}{}, expected {}", name_of(found), is_again ? " a second time" : "",
                     sequence_.describe_expected()));
}

/// The kind of the first block that is listed in the table of contents at the front of the window but is not
/// in the part. Returns `unknown` unless the listed blocks that are missing account exactly for the distance
/// by which the table has moved.
BlockKind FrontReader::find_omitted(const BlockPart& part) {
  core::ByteSpan bytes = window_->look(far_bytes);
  const std::uint64_t offset = window_->offset();
  if (bytes.size() < head_bytes(BlockShape::toc)) return BlockKind::unknown;
  std::uint64_t count = grammar::toc_count(bytes.subspan(kind_bytes)).value_or(0);
  BlockKind first = BlockKind::unknown;
  std::uint64_t omitted_bytes = 0;
  bytes = bytes.subspan(head_bytes(BlockShape::toc));
  for (; count != 0; --count) {
    const auto entry = grammar::toc_entry(bytes);
    if (!entry) return BlockKind::unknown;
    bytes = bytes.subspan(grammar::toc_entry_bytes);
    const BlockKind kind = find_kind(entry->kind.name());
    if (kind == BlockKind::unknown || part.state(kind) != BlockState::absent) continue;
    if (first == BlockKind::unknown) first = kind;
    omitted_bytes += entry->end - entry->start;
  }
  const auto own_start = grammar::toc_start(bytes);
  return own_start && *own_start - offset == omitted_bytes ? first : BlockKind::unknown;
}

/// Reports blocks that were left out of the part in a place where other blocks may follow. Only the table of
/// contents at the front of the window shows that such blocks are missing.
void FrontReader::check_omitted(const BlockPart& part) {
  const BlockKind omitted = find_omitted(part);
  if (omitted == BlockKind::unknown) return;
  const auto read = std::span(container_.blocks).subspan(part_start_);
  const auto next = std::ranges::find_if(read, [&](const Block& block) { return block.kind > omitted; });
  const bool is_last = next == read.end();
  report(rules::block_order, {is_last ? window_->offset() : next->span.offset, kind_bytes},
         path_of(part.index, is_last ? BlockKind::toc : next->kind),
         fmt::format("found {}, expected {}, which the table of contents lists",
                     name_of(is_last ? BlockKind::toc : next->kind), name_of(omitted)));
  tables_.lose(omitted, BlockKind::toc);
  mark_damaged(part.index);
}

/// Keeps the bytes of the table of contents at the front of the window in order to recognise a copy after it.
/// If the table is larger than the window, keeps only the bytes in the window.
void FrontReader::remember_toc() {
  const core::ByteSpan bytes = window_->look(far_bytes);
  const std::uint64_t count =
      grammar::toc_count(bytes.subspan(std::min(bytes.size(), kind_bytes))).value_or(0);
  constexpr std::size_t around = head_bytes(BlockShape::toc) + sizeof(std::uint64_t);
  const std::uint64_t length =
      around + std::min<std::uint64_t>(count, bytes.size()) * grammar::toc_entry_bytes;
  const core::ByteSpan toc = bytes.first(std::min<std::uint64_t>(length, bytes.size()));
  toc_bytes_.assign(toc.begin(), toc.end());
}

/// Skips a copy of the table of contents that was just read.
void FrontReader::skip_repeated_toc() {
  if (container_.blocks.empty()) return;
  const Block& last = container_.blocks.back();
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(last.span.length, toc_bytes_.size()));
  if (last.kind != BlockKind::toc || !last.whole || last.span.end() != window_->offset()) return;
  const core::ByteSpan bytes = window_->look(length);
  if (!std::equal(bytes.begin(), bytes.end(), toc_bytes_.begin(),
                  toc_bytes_.begin() + static_cast<std::ptrdiff_t>(length)))
    return;
  report(rules::block_order, {window_->offset(), kind_bytes},
         fmt::format("/tocs/{}", container_.tocs.size() - 1),
         fmt::format("found toc a second time, expected {}",
                     finished_ ? "the end of the file" : "another block"));
  mark_damaged(last.part);
  container_.moved = true;
  window_->skip(last.span.length);
}

/// What the part's tables of contents say about the part. An inner table covers the part if it lists every
/// kind of block that was read.
ListedBlocks FrontReader::find_listed(const BlockPart& part) const {
  ListedBlocks listed;
  listed.is_open = ended_early_;
  const auto first = std::ranges::lower_bound(container_.tocs, part_start_, {}, &Toc::block);
  for (const Toc& toc : std::ranges::subrange(first, container_.tocs.end())) {
    std::array<bool, kind_count> here{};
    std::uint64_t tocs = 0;
    bool has_unknown = false;
    for (const grammar::TocEntry& entry : toc.outer ? outer_entries_ : toc.entries) {
      const BlockKind kind = find_kind(entry.kind.name());
      has_unknown = has_unknown || kind == BlockKind::unknown;
      if (kind != BlockKind::unknown) here[static_cast<std::size_t>(kind)] = true;
      tocs += kind == BlockKind::toc ? 1U : 0U;
    }
    const std::uint64_t parts = container_.parts - repeated_parts_;
    listed.has_all_parts = toc.outer && tocs == parts;
    listed.has_open_parts = toc.outer && open_parts_ != 0 && tocs == parts - open_parts_;
    const auto covers = [&](std::size_t kind) {
      return here[kind] || part.states[kind] == BlockState::absent;
    };
    const auto columns = std::views::iota(std::size_t{0}, static_cast<std::size_t>(BlockKind::toc));
    // An unknown kind may represent any block, so such a table does not show which blocks are missing.
    if (toc.outer || has_unknown || !std::ranges::all_of(columns, covers)) continue;
    listed.are_known = true;
    listed.kinds = here;
  }
  return listed;
}

}  // namespace heapcheck::mvmheap::v3
