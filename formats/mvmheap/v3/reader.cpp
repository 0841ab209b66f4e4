#include "formats/mvmheap/v3/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/core/limit_rules.hpp"
#include "formats/mvmheap/v3/faults.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;

constexpr std::size_t look_ahead = 64;

std::string path_of(std::uint64_t part, BlockKind kind) {
  if (kind == BlockKind::unknown) return fmt::format("/snapshots/{}", part);
  return fmt::format("/snapshots/{}/{}", part, name_of(kind));
}

/// A raw kind for a message: as text where it is text, else its bytes.
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

std::string_view describe(BlockShape shape) {
  switch (shape) {
    case BlockShape::meta:
      return "metadata";
    case BlockShape::column:
      return "a column";
    case BlockShape::strings:
      return "a string heap";
    case BlockShape::toc:
      return "a table of contents";
  }
  return "";
}

/// Whether `bytes` could be the first bytes of a block's head that was cut off.
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

bool is_v3(ByteSpan first_bytes) { return grammar::magic(first_bytes); }

Reader::Reader(core::Window& window, const core::Limits& limits, core::FindingSink& sink)
    : window_(&window), limits_(limits), sink_(&sink), blocks_(window, limits, sink) {}

void Reader::report(const core::Rule& rule, core::Span place, const std::string& path, std::string message) {
  sink_->report({&rule, {place, std::nullopt, path}, std::move(message)});
}

void Reader::mark_damaged(std::uint64_t part) {
  auto& parts = container_.damaged_parts;
  if (parts.empty() || parts.back() != part) parts.push_back(part);
}

/// Reads the magic and the filemeta block.
void Reader::read_start() {
  started_ = true;
  window_->consume(magic.size());
  Part none;
  if (window_->at_end()) return report_truncation(window_->offset(), "", "");
  const Recognised found = recognise(window_->peek(look_ahead), window_->offset());
  const bool is_unknown_meta = found.named == BlockKind::unknown && found.shape == BlockShape::meta;
  if (found.named != BlockKind::filemeta && !is_unknown_meta) {
    if (is_cut_head(window_->peek(look_ahead))) return report_truncation(window_->offset(), "/filemeta", "");
    report(rules::block_order, {window_->offset(), kind_bytes}, "/filemeta",
           fmt::format("found {}, required is filemeta", describe(found.raw)));
    if (found.shape == BlockShape::meta) read_content(none, BlockKind::unknown, BlockShape::meta);
    return;
  }
  if (is_unknown_meta) {
    report(rules::block_kind, {window_->offset(), kind_bytes}, "/filemeta",
           fmt::format("kind is {}, required is filemeta", describe(found.raw)));
  }
  read_content(none, BlockKind::filemeta, BlockShape::meta);
}

bool Reader::read_part(Part& part) {
  if (!started_) read_start();
  if (!begin_part(part)) return false;
  while (!sequence_.at_end() && !container_.stopped) read_block(part);
  end_part(part);
  return true;
}

bool Reader::begin_part(Part& part) {
  part.reset(container_.parts);
  sequence_ = Sequence();
  if (container_.stopped || finished_ || window_->at_end()) {
    read_end();
    return false;
  }
  part.before = tables_.counts();
  ++container_.parts;
  return true;
}

void Reader::end_part(Part& part) {
  const StaticFrameTable& frames = tables_.static_frames;
  if (tables_.types.repr_name.count() != tables_.types.type_name.count()) drop_types(part);
  if (std::ranges::any_of(std::array{frames.cuid.count(), frames.line.count(), frames.file.count()},
                          [&](std::uint64_t count) { return count != frames.name.count(); })) {
    drop_frames(part);
  }
  if (!part.order_known) strings_known_ = types_known_ = frames_known_ = false;
  part.after = tables_.counts();
  part.strings_known = strings_known_;
  part.types_known = types_known_;
  part.frames_known = frames_known_;
  if (!part.order_known) mark_damaged(part.index);
  finished_ = sequence_.at_end() && !part.has_snapshot;
}

/// What may stand behind the last part: nothing.
void Reader::read_end() {
  const std::uint64_t offset = window_->offset();
  if (window_->at_end() && !container_.stopped) {
    if (window_->error()) report_truncation(offset, "", "");
    if (container_.parts == 0 && !container_.stopped) report_truncation(offset, "", "");
    complete_ = !container_.stopped;
  } else if (finished_ && !container_.stopped) {
    const std::uint64_t rest = window_->skip(UINT64_MAX);
    report(rules::file_trailing_bytes, {offset, rest}, "",
           fmt::format("{} bytes follow the last table of contents, none may", rest));
  }
  stop();
  window_->skip(limits_.max_input);
  container_.byte_count = window_->offset();
}

void Reader::read_block(Part& part) {
  const std::uint64_t start = window_->offset();
  if (window_->at_end()) {
    return report_truncation(start, fmt::format("/snapshots/{}", part.index), "");
  }
  if (container_.blocks.size() >= limits_.max_blocks) {
    report(core::rules::limit_items, {start, 0}, "",
           fmt::format("file has over {} blocks, the limit", limits_.max_blocks));
    return stop();
  }
  Recognised found = recognise(window_->peek(look_ahead), start);
  if (!found.fits()) found = recognise(window_->peek(window_->capacity()), start);
  if (found.named == BlockKind::unknown && !found.shape) {
    if (is_cut_head(window_->peek(look_ahead)))
      return report_truncation(start, path_of(part.index, BlockKind::unknown), "");
    return skip_unknown(part, path_of(part.index, BlockKind::unknown));
  }
  const BlockShape shape = found.shape ? *found.shape : info_of(found.named).shape;
  read_content(part, judge_kind(part, found, shape), shape);
}

/// Decides for what kind a block is taken; reports a kind that does not fit or come next.
BlockKind Reader::judge_kind(Part& part, const Recognised& found, BlockShape shape) {
  const core::Span place{window_->offset(), kind_bytes};
  if (found.named == BlockKind::unknown || info_of(found.named).shape != shape) {
    const BlockKind only =
        part.order_known ? sequence_.only_expected(shape).value_or(BlockKind::unknown) : BlockKind::unknown;
    report(rules::block_kind, place, path_of(part.index, only),
           fmt::format("kind is {} before {}, required is {}", describe(found.raw), describe(shape),
                       sequence_.describe_expected()));
    if (only == BlockKind::unknown) part.order_known = false;
    return only;
  }
  if (!found.raw.is_padded()) {
    report(
        rules::block_kind_padding, place, path_of(part.index, found.named),
        fmt::format("padding of {} is not NUL, as MoarVM 2020.05 to 2020.12 left it", name_of(found.named)));
  }
  if (part.order_known && !sequence_.allows(found.named)) {
    report(rules::block_order, place, path_of(part.index, found.named),
           fmt::format("found {}, required is {}", name_of(found.named), sequence_.describe_expected()));
    part.order_known = false;
  }
  return found.named;
}

void Reader::read_content(Part& part, BlockKind kind, BlockShape shape) {
  Block block;
  block.kind = kind;
  block.part = part.index;
  block.span.offset = window_->offset();
  const std::string path = kind == BlockKind::filemeta ? "/filemeta" : path_of(part.index, kind);
  const BlockOutcome outcome = read_by_shape(block, shape, part, path);
  settle(block, part, outcome, path);
}

BlockOutcome Reader::read_by_shape(Block& block, BlockShape shape, Part& part, const std::string& path) {
  switch (shape) {
    case BlockShape::meta:
      return read_meta(block, part, path);
    case BlockShape::column:
      return blocks_.read_column(block, part, tables_, path);
    case BlockShape::strings:
      return blocks_.read_strings(block, part, tables_, path);
    case BlockShape::toc:
      return read_toc(block, path);
  }
  return BlockOutcome::lost;
}

BlockOutcome Reader::read_meta(Block& block, Part& part, const std::string& path) {
  std::string json;
  const BlockOutcome outcome = blocks_.read_meta(block, json, path);
  if (outcome != BlockOutcome::whole) return outcome;
  const core::ByteView view{core::as_bytes(json), block.content.offset};
  if (block.kind == BlockKind::filemeta && !file_meta_ && container_.blocks.empty()) {
    file_meta_ = read_file_meta(view, limits_, file_meta_places_, *sink_);
    return file_meta_ ? BlockOutcome::whole : BlockOutcome::broken;
  }
  if (block.kind == BlockKind::snapmeta) {
    part.meta = read_snapshot_meta(view, limits_, path, part.meta_places, *sink_);
    return part.meta ? BlockOutcome::whole : BlockOutcome::broken;
  }
  return BlockOutcome::whole;
}

BlockOutcome Reader::read_toc(Block& block, const std::string& path) {
  Toc toc;
  toc.block = container_.blocks.size();
  toc.outer = sequence_.at_outer_toc();
  const BlockOutcome outcome = blocks_.read_toc(block, toc, container_.moved, path);
  if (outcome == BlockOutcome::whole) container_.tocs.push_back(std::move(toc));
  return outcome;
}

/// Enters a block into the container and the part, and finds the next one after damage.
void Reader::settle(Block& block, Part& part, BlockOutcome outcome, const std::string& path) {
  if (outcome == BlockOutcome::truncated) {
    return report_truncation(block.span.offset, path, std::string(name_of(block.kind)));
  }
  if (outcome == BlockOutcome::stopped) return stop();
  block.whole = outcome == BlockOutcome::whole;
  if (outcome == BlockOutcome::lost && !find_next_block(*window_)) stop();
  block.span.length = window_->offset() - block.span.offset;
  if (block.kind != BlockKind::filemeta) sequence_.advance(block.kind);
  part.has_snapshot = sequence_.has_snapshot();
  enter(block, part);
  if (!block.whole && block.kind != BlockKind::filemeta) mark_damaged(part.index);
  container_.blocks.push_back(block);
  if (part.is_whole_snapshot() && block.kind == BlockKind::topscore) ++container_.whole_snapshots;
}

/// Notes in the part what became of a block; a shared table that lost one is not known from here on.
void Reader::enter(const Block& block, Part& part) {
  if (block.kind == BlockKind::unknown) return;
  const auto place = static_cast<std::size_t>(block.kind);
  const bool is_first = part.states[place] == BlockState::absent || block.kind == BlockKind::toc;
  part.states[place] = block.whole && is_first ? BlockState::whole : BlockState::broken;
  part.blocks[place] = container_.blocks.size();
  if (part.states[place] != BlockState::broken) return;
  if (block.kind == BlockKind::strings) strings_known_ = false;
  if (block.kind == BlockKind::reprname || block.kind == BlockKind::typename_) drop_types(part);
  if (block.kind >= BlockKind::sfname && block.kind <= BlockKind::sffile) drop_frames(part);
}

void Reader::drop_types(const Part& part) {
  types_known_ = false;
  tables_.types.repr_name.truncate(part.before.types);
  tables_.types.type_name.truncate(part.before.types);
}

void Reader::drop_frames(const Part& part) {
  frames_known_ = false;
  StaticFrameTable& frames = tables_.static_frames;
  for (auto* column : {&frames.name, &frames.cuid, &frames.line, &frames.file}) {
    column->truncate(part.before.static_frames);
  }
}

/// Bytes that are no block: goes on with the next one behind them.
void Reader::skip_unknown(Part& part, const std::string& path) {
  const std::uint64_t start = window_->offset();
  const std::string required = sequence_.describe_expected();
  const bool between_parts = sequence_.at_start() && container_.parts > 1;
  grammar::RawKind raw = recognise(window_->peek(look_ahead), start).raw;
  container_.moved = true;
  part.order_known = false;
  const bool has_next = find_next_block(*window_);
  const core::Span place{start, window_->offset() - start};
  if (!has_next) stop();
  if (!has_next && between_parts) {
    --container_.parts;
    report(rules::file_trailing_bytes, place, "",
           fmt::format("{} bytes follow the last table of contents, none may", place.length));
  } else {
    report(rules::block_unaccounted, place, path,
           fmt::format("{} bytes starting with {} belong to no block, required is {}", place.length,
                       describe(raw), required));
  }
}

void Reader::report_truncation(std::uint64_t start, const std::string& path, const std::string& inside) {
  window_->skip(UINT64_MAX);
  stop();
  const core::Span place{start, window_->offset() - start};
  const auto& error = window_->error();
  const std::uint64_t whole = container_.whole_snapshots;
  const std::string rescued =
      whole == 1 ? "1 snapshot is whole" : fmt::format("{} snapshots are whole", whole);
  if (error && error->kind == core::ErrorKind::limit)
    return report(core::rules::limit_input_bytes, place, path, error->message);
  if (error && error->kind == core::ErrorKind::damaged) {
    return report(rules::input_compression, place, path, fmt::format("{}; {}", error->message, rescued));
  }
  if (error) return;
  const std::string where =
      inside.empty()
          ? fmt::format("before {}", container_.blocks.empty() ? "filemeta" : sequence_.describe_expected())
          : "inside " + inside;
  report(rules::file_truncated, place, path,
         fmt::format("file ends {}, required is a last table of contents; {}", where, rescued));
}

}  // namespace heapcheck::mvmheap::v3
