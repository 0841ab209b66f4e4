#include "validate/mvmheap/v3/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "validate/mvmheap/v3/places.hpp"
#include "validate/reader_rules.hpp"

namespace heapcheck::validation::mvmheap::v3 {
namespace {

using format::Block;
using format::BlockKind;

/// The blocks of kinds `first` to `last`, or none if one of them is missing or damaged.
std::vector<const Block*> whole_blocks(const format::BlockContainer& container, const format::BlockPart& part,
                                       BlockKind first, BlockKind last) {
  std::vector<const Block*> blocks;
  for (auto kind = static_cast<int>(first); kind <= static_cast<int>(last); ++kind) {
    if (!part.is_whole(static_cast<BlockKind>(kind))) return {};
    blocks.push_back(&container.blocks[part.block(static_cast<BlockKind>(kind))]);
  }
  return blocks;
}

bool has_usual_entries(const Block& block) {
  return block.entry_bytes == format::info_of(block.kind).entry_bytes;
}

/// Returns the length that the table should have: the most common one. In a tie, it is the length that `hint`
/// confirms or, without a hint, that of a column with the usual entry size.
std::uint64_t find_length(const std::vector<const Block*>& blocks, std::optional<std::uint64_t> hint) {
  std::uint64_t best = blocks.front()->count;
  std::uint64_t best_score = 0;
  for (const Block* candidate : blocks) {
    std::uint64_t score = 0;
    for (const Block* block : blocks) score += block->count == candidate->count ? 4 : 0;
    score += hint && candidate->count == *hint ? 2 : 0;
    score += has_usual_entries(*candidate) ? 1 : 0;
    if (score > best_score) {
      best = candidate->count;
      best_score = score;
    }
  }
  return best;
}

void check_table(const format::BlockContainer& container, const format::BlockPart& part, BlockKind first,
                 BlockKind last, std::optional<std::uint64_t> hint, core::FindingSink& sink) {
  const auto blocks = whole_blocks(container, part, first, last);
  if (blocks.empty()) return;
  const std::uint64_t length = find_length(blocks, hint);
  for (const Block* block : blocks) {
    if (block->count == length || !block->entry_bytes_hold) continue;
    Location location = locate_block(container, part, block->kind);
    const bool blame_entry_size = !has_usual_entries(*block);
    if (blame_entry_size) location.file = {block->span.offset + format::kind_bytes, sizeof(std::uint16_t)};
    sink.report({&rules::column_length, location,
                 fmt::format("column has {} of {} bytes, expected {}, as in the other columns of the table",
                             core::counted(block->count, "value"), block->entry_bytes, length)});
  }
}

/// Reports the blocks of one table that add no rows as one finding at the first of these blocks.
void check_empty(const format::BlockContainer& container, const format::BlockPart& part, BlockKind first,
                 BlockKind last, core::FindingSink& sink) {
  const auto blocks = whole_blocks(container, part, first, last);
  if (blocks.empty() || std::ranges::any_of(blocks, [](const Block* block) { return block->count != 0; }))
    return;
  core::report_or_count(sink, {&rules::block_empty, locate_block(container, part, first),
                               fmt::format("{} has no rows, expected the block to be left out if there are "
                                           "none to add",
                                           format::name_of(first))});
}

}  // namespace

void check_empty_blocks(const format::BlockContainer& container, const format::BlockPart& part,
                        core::FindingSink& sink) {
  check_empty(container, part, BlockKind::strings, BlockKind::strings, sink);
  check_empty(container, part, BlockKind::reprname, BlockKind::typename_, sink);
  check_empty(container, part, BlockKind::sfname, BlockKind::sffile, sink);
}

void check_column_lengths(const format::BlockContainer& container, const format::BlockPart& part,
                          core::FindingSink& sink) {
  check_table(container, part, BlockKind::colkind, BlockKind::colusize, std::nullopt, sink);
  const auto refs = part.meta ? std::optional(part.meta->total_refs) : std::nullopt;
  check_table(container, part, BlockKind::refdescr, BlockKind::reftrget, refs, sink);
  check_table(container, part, BlockKind::reprname, BlockKind::typename_, std::nullopt, sink);
  check_table(container, part, BlockKind::sfname, BlockKind::sffile, std::nullopt, sink);
}

void check_entry_sizes_for_comma(const format::BlockContainer& container, const format::BlockPart& part,
                                 core::FindingSink& sink) {
  for (auto kind = static_cast<int>(BlockKind::colkind); kind <= static_cast<int>(BlockKind::topscore);
       ++kind) {
    if (static_cast<BlockKind>(kind) == BlockKind::strings || !part.is_whole(static_cast<BlockKind>(kind)))
      continue;
    const Block& block = container.blocks[part.block(static_cast<BlockKind>(kind))];
    if (has_usual_entries(block)) continue;
    Location location = locate_block(container, part, block.kind);
    location.file = {block.span.offset + format::kind_bytes, sizeof(std::uint16_t)};
    sink.report({&validation::rules::comma_entry_size, location,
                 fmt::format("entries of {} have {} bytes, expected {}", format::info_of(block.kind).name,
                             block.entry_bytes, format::info_of(block.kind).entry_bytes)});
  }
}

}  // namespace heapcheck::validation::mvmheap::v3
