#include "formats/mvmheap/v3/columns/ahead.hpp"

#include <algorithm>
#include <numeric>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/core/threads/parallel.hpp"
#include "formats/mvmheap/v3/block_reader.hpp"
#include "formats/mvmheap/v3/grammar.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

constexpr std::size_t head = head_bytes(BlockShape::column);
/// It is not worth using a thread for smaller columns.
constexpr std::size_t least_bytes = std::size_t{16} << 10;

constexpr bool is_graph_column(BlockKind kind) {
  return kind >= BlockKind::colkind && kind <= BlockKind::reftrget;
}

bool is_unread(const BlockPart& part) {
  const auto first = part.states.begin() + static_cast<std::ptrdiff_t>(BlockKind::colkind);
  const auto last = part.states.begin() + static_cast<std::ptrdiff_t>(BlockKind::reftrget) + 1;
  return std::all_of(first, last, [](BlockState state) { return state == BlockState::absent; });
}

/// Divides the limits so that `count` columns together cannot exceed them. A column that exceeds its share is
/// read when it is its turn.
Limits divide(Limits limits, std::size_t count) {
  limits.max_memory /= count;
  limits.all_frames_floor /= count;
  if (limits.max_all_expanded) *limits.max_all_expanded /= count;
  limits.max_threads = 1;
  return limits;
}

/// Decodes the block in `bytes`. If anything is wrong with the block, its kind becomes unknown.
void decode_block(core::ByteSpan bytes, BlockKind kind, const Limits& limits, ColumnAhead& column) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  core::Tally tally(silent, Severity::note);
  BlockReader reader(window, limits, tally);
  Tables unused;
  column.block.kind = kind;
  const BlockOutcome outcome = reader.read_column(column.block, column.part, unused, "");
  if (outcome != BlockOutcome::whole || !tally.clean() || !window.at_end())
    column.block.kind = BlockKind::unknown;
}

}  // namespace

/// Finds the columns of a graph at the front of the window, one after another, as far as the window can show
/// them.
void ColumnsAhead::find_places(core::Window& window) {
  places_.clear();
  std::size_t at = 0;
  for (BlockKind last = BlockKind::snapmeta;;) {
    const core::ByteSpan bytes = window.look_ahead(at + head);
    const auto kind = bytes.size() < at + head ? std::nullopt : grammar::kind(bytes.subspan(at));
    const BlockKind named = kind ? find_kind(kind->name()) : BlockKind::unknown;
    end_ = window.offset() + at;
    if (!is_graph_column(named) || named <= last) return;
    const auto frame_bytes = core::ZstdFrame::measure(window, at + head);
    if (!frame_bytes) {
      end_ = window.offset() + window.capacity();
      return;
    }
    places_.push_back({window.offset() + at, named, head + *frame_bytes});
    at += places_.back().byte_count;
    last = named;
  }
}

void ColumnsAhead::decode(core::Window& window, const BlockPart& part) {
  columns_ = std::vector<ColumnAhead>(places_.size());
  for (ColumnAhead& column : columns_) column.part.meta = part.meta;
  std::vector<std::size_t> order(places_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater{}, [&](std::size_t i) { return places_[i].byte_count; });
  const std::uint64_t start = window.offset();
  const std::size_t byte_count =
      static_cast<std::size_t>(places_.back().offset - start) + places_.back().byte_count;
  const core::ByteSpan bytes = window.look_ahead(byte_count);
  const Limits limits = divide(limits_, places_.size());
  core::run_parallel(limits_.max_threads, places_.size(), [&](std::size_t i) {
    const Place& place = places_[order[i]];
    decode_block(bytes.subspan(static_cast<std::size_t>(place.offset - start), place.byte_count), place.kind,
                 limits, columns_[order[i]]);
  });
}

ColumnAhead* ColumnsAhead::find(core::Window& window, BlockKind kind, BlockPart& part) {
  if (limits_.max_threads < 2) return nullptr;
  // No bytes are examined twice, so that damage does not cost extra time.
  if (kind == BlockKind::colkind && is_unread(part) && window.offset() >= end_) {
    find_places(window);
    columns_.clear();
    const bool is_large =
        std::ranges::any_of(places_, [](const Place& p) { return p.byte_count >= least_bytes; });
    if (places_.size() < 2 || !is_large) return nullptr;
    part.snapshot = {};  // not needed, because the columns have their own memory
    decode(window, part);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (places_[i].offset == window.offset() && columns_[i].block.kind == kind) return &columns_[i];
  }
  return nullptr;
}

}  // namespace heapcheck::mvmheap::v3
