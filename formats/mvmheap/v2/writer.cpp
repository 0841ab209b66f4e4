#include "formats/mvmheap/v2/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/codec.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

constexpr std::size_t piece_bytes = 128 * 1024;

Error make_error(std::string message) { return {ErrorKind::unwritable, std::move(message)}; }

/// The error for a column that does not fit in fields of type T.
template <class T>
std::optional<Error> find_misfit(const Column<T>& column, std::string_view name) {
  if (column.is_narrow()) return std::nullopt;
  for (std::uint64_t i = 0; i < column.count(); ++i) {
    if (column[i] <= std::numeric_limits<T>::max()) continue;
    return make_error(fmt::format("{} of collectable {} is {}, expected at most {} in version 2", name, i,
                                  column[i], std::numeric_limits<T>::max()));
  }
  return std::nullopt;
}

std::optional<Error> find_misfit(const Snapshot& snapshot) {
  if (!snapshot.has_equal_columns()) return make_error("the columns of a snapshot differ in length");
  if (!snapshot.references.has_targets) return make_error("references have no targets");
  const Collectables& collectables = snapshot.collectables;
  if (auto error = find_misfit(collectables.kind, "kind")) return error;
  if (auto error = find_misfit(collectables.type_or_frame_index, "type or frame index")) return error;
  if (auto error = find_misfit(collectables.size, "size")) return error;
  return find_misfit(collectables.num_refs, "number of references");
}

}  // namespace

Result<void> Writer::write_part(const mvmheap::Part& part, const Tables& tables) {
  if (error_) return std::unexpected(*error_);
  if (!tables.has_equal_columns())
    return std::unexpected(make_error("the columns of a table differ in length"));
  if (part.has_snapshot) {
    if (auto misfit = find_misfit(part.snapshot)) return std::unexpected(std::move(*misfit));
  }
  write_start();
  if (!part.has_snapshot) return result();
  if (promised_) write_increments(tables, *promised_);
  grammar::IndexEntry entry;
  entry.collectables = write_collectables(part.snapshot.collectables);
  entry.references = write_references(part.snapshot.references, entry.middle);
  index_.push_back(entry);
  if (options_.increments) promised_ = part.after;
  flush();
  return result();
}

Result<void> Writer::finish(const Tables& tables) {
  if (error_) return std::unexpected(*error_);
  if (!tables.has_equal_columns())
    return std::unexpected(make_error("the columns of a table differ in length"));
  write_start();
  const TableCounts all = tables.counts();
  // The rows after the last snapshot belong to its increment, because no other increment follows.
  if (promised_) write_increments(tables, all);
  grammar::Trailer trailer;
  trailer.strings = write_strings(tables.strings, 0, all.strings);
  trailer.types = write_table(SectionKind::types, tables.types, 0, all.types);
  trailer.static_frames = write_table(SectionKind::static_frames, tables.static_frames, 0, all.static_frames);
  trailer.snapshots = index_.size();
  for (const grammar::IndexEntry& entry : index_) {
    for (const std::uint64_t field : {entry.collectables, entry.references, entry.middle, entry.increments})
      put_le(field);
  }
  for (const std::uint64_t field : {trailer.strings, trailer.types, trailer.static_frames, trailer.snapshots})
    put_le(field);
  flush();
  return result();
}

void Writer::write_start() {
  if (offset_ == 0) put(core::as_bytes(magic));
}

std::uint64_t Writer::write_collectables(const Collectables& collectables) {
  const std::uint64_t start = offset_;
  put_head(SectionKind::collectables, collectables.count());
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    const std::uint64_t num_refs = collectables.num_refs[i];
    put_le(static_cast<std::uint16_t>(collectables.kind[i]));
    put_le(static_cast<std::uint32_t>(collectables.type_or_frame_index[i]));
    put_le(static_cast<std::uint16_t>(collectables.size[i]));
    put_le(collectables.unmanaged_size[i]);
    put_le(num_refs == 0 ? std::uint64_t{0} : collectables.refs_start[i]);
    put_le(static_cast<std::uint32_t>(num_refs));
  }
  return offset_ - start;
}

/// Writes the references and sets `middle` to the start of their second half. As in MoarVM's files, `middle`
/// is 0 if the first half is empty. spec: mvmheap/v2.md#index
std::uint64_t Writer::write_references(const References& references, std::uint64_t& middle) {
  const std::uint64_t start = offset_;
  put_head(SectionKind::references, references.count());
  for (std::uint64_t i = 0; i < references.count(); ++i) {
    const std::uint64_t description = references.description[i];
    const std::uint64_t index = description >> kind_bits;
    const std::uint64_t target = references.target[i];
    const Width width = narrowest_width(index, target);
    if (i != 0 && i == references.count() / 2) middle = offset_ - start;
    put_le(width.code);
    put_le(static_cast<std::uint8_t>(description & ((1U << kind_bits) - 1)));
    for (const std::uint64_t value : {index, target}) {
      if (width.byte_count == 1) put_le(static_cast<std::uint8_t>(value));
      if (width.byte_count == 2) put_le(static_cast<std::uint16_t>(value));
      if (width.byte_count == 4) put_le(static_cast<std::uint32_t>(value));
      if (width.byte_count == 8) put_le(value);
    }
  }
  return offset_ - start;
}

/// Writes the rows that are new since the last increment, up to `last`.
void Writer::write_increments(const Tables& tables, const TableCounts& last) {
  const TableCounts end = min(last, tables.counts());
  grammar::IndexEntry& entry = index_.back();
  entry.increments = write_strings(tables.strings, written_.strings, end.strings);
  entry.increments += write_table(SectionKind::types, tables.types, written_.types, end.types);
  entry.increments += write_table(SectionKind::static_frames, tables.static_frames, written_.static_frames,
                                  end.static_frames);
  written_ = end;
  promised_.reset();
}

/// Writes a section with the rows [first, last), using `put_row` for each row. Returns the size of the
/// section in bytes.
template <class PutRow>
std::uint64_t Writer::write_rows(SectionKind kind, std::uint64_t first, std::uint64_t last,
                                 const PutRow& put_row) {
  const std::uint64_t start = offset_;
  first = std::min(first, last);
  put_head(kind, last - first);
  for (; first < last; ++first) put_row(first);
  return offset_ - start;
}

std::uint64_t Writer::write_strings(const StringTable& strings, std::uint64_t first, std::uint64_t last) {
  return write_rows(SectionKind::strings, first, last, [&](std::uint64_t row) {
    const std::string_view text = strings[StringIndex{row}];
    put_le(std::uint64_t{text.size()});
    put(core::as_bytes(text));
  });
}

template <class Table>
std::uint64_t Writer::write_table(SectionKind kind, const Table& table, std::uint64_t first,
                                  std::uint64_t last) {
  return write_rows(kind, first, last, [&](std::uint64_t row) {
    for (const auto* column : columns_of(table)) put_le((*column)[row]);
  });
}

void Writer::put_head(SectionKind kind, std::uint64_t count) {
  const SectionInfo& info = info_of(kind);
  put(core::as_bytes(info.tag));
  put_le(count);
  if (info.entry_bytes != 0) put_le(info.entry_bytes);
}

void Writer::put(ByteSpan bytes) {
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  offset_ += bytes.size();
  if (pending_.size() >= piece_bytes) flush();
}

template <class T>
void Writer::put_le(T value) {
  core::encode_le(value, pending_);
  offset_ += sizeof(T);
  if (pending_.size() >= piece_bytes) flush();
}

void Writer::flush() {
  if (!error_ && !pending_.empty()) {
    if (auto wrote = out_->write(pending_); !wrote) error_ = std::move(wrote.error());
  }
  pending_.clear();
}

Result<void> Writer::result() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace heapcheck::mvmheap::v2
