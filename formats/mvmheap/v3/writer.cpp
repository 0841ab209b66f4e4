#include "formats/mvmheap/v3/writer.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "formats/core/codec.hpp"
#include "formats/mvmheap/v3/meta.hpp"
#include "formats/mvmheap/v3/string_heap.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::ByteSpan;
using grammar::TocEntry;

constexpr std::uint64_t piece_bytes = 128 * 1024;

Error make_error(std::string message) { return {ErrorKind::unwritable, std::move(message)}; }

/// The entry size for the rows [first, last): the size that MoarVM writes, or a larger size if a value
/// requires it.
template <class T>
std::uint16_t choose_entry_bytes(const Column<T>& column, std::uint64_t first, std::uint64_t last,
                                 std::uint16_t usual) {
  std::uint64_t bits = 0;
  for (std::uint64_t i = first; i < last && !column.is_narrow(); ++i) bits |= column[i];
  if (bits > std::numeric_limits<std::uint32_t>::max()) return 8;
  if (bits > std::numeric_limits<std::uint16_t>::max()) return std::max(usual, std::uint16_t{4});
  return usual;
}

void encode_entry(std::uint64_t value, std::uint16_t entry_bytes, std::vector<std::uint8_t>& out) {
  if (entry_bytes == 2) return core::encode_le(static_cast<std::uint16_t>(value), out);
  if (entry_bytes == 4) return core::encode_le(static_cast<std::uint32_t>(value), out);
  core::encode_le(value, out);
}

TocEntry make_entry(BlockKind kind, std::uint64_t start, std::uint64_t end) {
  TocEntry entry{{}, start, end};
  name_of(kind).copy(entry.kind.bytes.data(), entry.kind.bytes.size());
  return entry;
}

bool is_longer(const TableCounts& a, const TableCounts& b) {
  return a.strings > b.strings || a.types > b.types || a.static_frames > b.static_frames;
}

/// The end of a piece that starts with string `first`. A piece contains as many strings as fit, but at least
/// one.
std::uint64_t find_piece_end(const StringTable& strings, std::uint64_t first, std::uint64_t last) {
  std::uint64_t byte_count = 0;
  std::uint64_t end = first;
  while (end < last && byte_count < piece_bytes) {
    byte_count += sizeof(std::uint32_t) + strings[StringIndex{end++}].size();
  }
  return end;
}

}  // namespace

struct Writer::Compressor {
  std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> context{::ZSTD_createCCtx(), ::ZSTD_freeCCtx};
  std::vector<std::uint8_t> output = std::vector<std::uint8_t>(::ZSTD_CStreamOutSize());
};

Writer::Writer(core::ByteSink& out, FileMeta meta, WriterOptions options)
    : out_(&out),
      meta_(std::move(meta)),
      compressor_(std::make_shared<Compressor>()),
      most_table_bytes_(options.most_table_bytes) {
  ZSTD_CCtx* context = compressor_->context.get();
  if (context == nullptr) {
    error_ = Error{ErrorKind::limit, "not enough memory for the zstd encoder"};
    return;
  }
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, std::clamp(options.level, 1, 19));
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
}

Result<void> Writer::write_part(const mvmheap::Part& part, const Tables& tables) {
  if (error_) return std::unexpected(*error_);
  if (auto misuse = find_misuse(part, tables)) return std::unexpected(std::move(*misuse));
  if (auto excess = find_excess()) return std::unexpected(std::move(*excess));
  if (offset_ == 0) write_start();
  if (part.has_snapshot) write_snapshot(part);
  write_new_rows(tables, part.after);
  if (part.has_snapshot) {
    write_column(BlockKind::top_ids, part.highscores.ids);
    write_column(BlockKind::topscore, part.highscores.scores);
  }
  write_tocs();
  closed_ = !part.has_snapshot;
  return flush();
}

Result<void> Writer::finish(const Tables& tables) {
  if (error_) return std::unexpected(*error_);
  if (!tables.has_equal_columns())
    return std::unexpected(make_error("the columns of a table differ in length"));
  mvmheap::Part closing;
  closing.after = tables.counts();
  if (closed_ && closing.after == written_) return {};
  return write_part(closing, tables);
}

std::optional<Error> Writer::find_excess() const {
  const std::uint64_t most = std::max(most_table_bytes_, offset_ - outer_byte_count_);
  if (outer_byte_count_ <= most) return std::nullopt;
  return Error{
      ErrorKind::limit,
      fmt::format("the tables of contents after {} snapshots take up {} bytes in total, expected at most {}",
                  outer_.size() - 1, outer_byte_count_, most)};
}

std::optional<Error> Writer::find_misuse(const mvmheap::Part& part, const Tables& tables) const {
  if (closed_) return make_error("a part follows the closing part");
  if (part.has_snapshot && !part.meta) return make_error("snapshot has no snapmeta");
  if (part.has_snapshot && !part.snapshot.references.has_targets)
    return make_error("references have no targets");
  if (is_longer(part.after, tables.counts())) return make_error("part needs more rows than the tables have");
  if (is_longer(written_, part.after)) return make_error("part needs fewer rows than are already written");
  for (std::uint64_t i = written_.strings; i < part.after.strings; ++i) {
    const std::size_t length = tables.strings[StringIndex{i}].size();
    if (length <= std::numeric_limits<std::uint32_t>::max()) continue;
    return make_error(
        fmt::format("string {} has a length of {} bytes, expected at most 4294967295", i, length));
  }
  return std::nullopt;
}

void Writer::write_start() {
  put(core::as_bytes(magic));
  write_meta(BlockKind::filemeta, encode_file_meta(meta_), outer_);
}

void Writer::write_snapshot(const mvmheap::Part& part) {
  const Collectables& collectables = part.snapshot.collectables;
  write_meta(BlockKind::snapmeta, encode_snapshot_meta(*part.meta), inner_);
  write_column(BlockKind::colkind, collectables.kind);
  write_column(BlockKind::colsize, collectables.size);
  write_column(BlockKind::coltofi, collectables.type_or_frame_index);
  write_column(BlockKind::colrfcnt, collectables.num_refs);
  write_column(BlockKind::colrfstr, collectables.refs_start);
  write_column(BlockKind::colusize, collectables.unmanaged_size);
  write_column(BlockKind::refdescr, part.snapshot.references.description);
  write_column(BlockKind::reftrget, part.snapshot.references.target);
}

/// Writes the new rows. The blocks of a table that has not grown are left out. spec: mvmheap/v3.md#order
void Writer::write_new_rows(const Tables& tables, const TableCounts& last) {
  if (written_.strings < last.strings) write_strings(tables.strings, written_.strings, last.strings);
  const auto write_table = [this](BlockKind kind, const auto& table, std::uint64_t first, std::uint64_t end) {
    for (const auto* column : columns_of(table)) {
      if (first < end) write_column(kind, *column, first, end);
      kind = static_cast<BlockKind>(static_cast<std::uint8_t>(kind) + 1);
    }
  };
  write_table(BlockKind::reprname, tables.types, written_.types, last.types);
  write_table(BlockKind::sfname, tables.static_frames, written_.static_frames, last.static_frames);
  written_ = last;
}

void Writer::write_tocs() {
  const std::uint64_t start = write_toc(inner_);
  inner_.clear();
  // The entry for a `toc` block ends before the block's closing offset.
  outer_.push_back(make_entry(BlockKind::toc, start, offset_ - sizeof(std::uint64_t)));
  outer_byte_count_ -= offset_;
  write_toc(outer_);
  outer_byte_count_ += offset_;
}

/// Writes a table of contents. Returns its offset.
std::uint64_t Writer::write_toc(const std::vector<TocEntry>& entries) {
  const std::uint64_t start = offset_;
  put_kind(BlockKind::toc);
  put_le(std::uint64_t{entries.size()});
  for (const TocEntry& entry : entries) {
    put(core::as_bytes({entry.kind.bytes.data(), entry.kind.bytes.size()}));
    put_le(entry.start);
    put_le(entry.end);
  }
  put_le(start);
  return start;
}

void Writer::write_meta(BlockKind kind, std::string_view json, std::vector<TocEntry>& toc) {
  const std::uint64_t start = offset_;
  put_kind(kind);
  put_le(std::uint64_t{json.size() + 1});
  put(core::as_bytes(json));
  put_le(std::uint8_t{0});
  toc.push_back(make_entry(kind, start, offset_));
}

void Writer::write_strings(const StringTable& strings, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t start = offset_;
  put_kind(BlockKind::strings);
  put_le(std::uint64_t{0});
  begin_frame();
  while (first < last && !error_) {
    const std::uint64_t end = find_piece_end(strings, first, last);
    compress(encode_string_heap(strings, first, end));
    first = end;
  }
  compress({}, true);
  inner_.push_back(make_entry(BlockKind::strings, start, offset_));
}

template <class T>
void Writer::write_column(BlockKind kind, const Column<T>& column, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t start = offset_;
  const std::uint16_t entry_bytes = choose_entry_bytes(column, first, last, info_of(kind).entry_bytes);
  put_kind(kind);
  put_le(entry_bytes);
  put_le(std::uint64_t{0});
  begin_frame();
  std::vector<std::uint8_t> piece;
  piece.reserve(piece_bytes);
  while (first < last && !error_) {
    piece.clear();
    const std::uint64_t end = first + std::min(last - first, piece_bytes / entry_bytes);
    for (; first < end; ++first) encode_entry(column[first], entry_bytes, piece);
    compress(piece);
  }
  compress({}, true);
  inner_.push_back(make_entry(kind, start, offset_));
}

/// Starts a frame of unknown length, as MoarVM does. If the length were known from the start, zstd would
/// compress the data differently, even without writing the length.
void Writer::begin_frame() {
  if (error_) return;
  ::ZSTD_CCtx_reset(compressor_->context.get(), ZSTD_reset_session_only);
  compress({});
}

void Writer::compress(ByteSpan piece, bool is_last) {
  ZSTD_inBuffer in{piece.data(), piece.size(), 0};
  while (!error_) {
    ZSTD_outBuffer out{compressor_->output.data(), compressor_->output.size(), 0};
    const std::size_t left =
        ::ZSTD_compressStream2(compressor_->context.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
    if (::ZSTD_isError(left) != 0) {
      const bool has_no_memory = ::ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation;
      error_ = Error{has_no_memory ? ErrorKind::limit : ErrorKind::unwritable,
                     fmt::format("zstd cannot compress ({})", ::ZSTD_getErrorName(left))};
      return;
    }
    put(ByteSpan(compressor_->output).first(out.pos));
    if (is_last ? left == 0 : in.pos == in.size) return;
  }
}

void Writer::put(ByteSpan bytes) {
  if (error_) return;
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  offset_ += bytes.size();
  if (pending_.size() >= piece_bytes) write_pending();
}

template <class T>
void Writer::put_le(T value) {
  if (error_) return;
  core::encode_le(value, pending_);
  offset_ += sizeof(T);
}

void Writer::put_kind(BlockKind kind) {
  const TocEntry entry = make_entry(kind, 0, 0);
  put(core::as_bytes({entry.kind.bytes.data(), entry.kind.bytes.size()}));
}

void Writer::write_pending() {
  if (!error_ && !pending_.empty()) {
    if (auto wrote = out_->write(pending_); !wrote) error_ = std::move(wrote.error());
  }
  pending_.clear();
}

Result<void> Writer::flush() {
  write_pending();
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace heapcheck::mvmheap::v3
