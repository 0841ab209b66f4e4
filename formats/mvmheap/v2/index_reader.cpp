#include "formats/mvmheap/v2/index_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"

namespace heapcheck::mvmheap::v2 {

IndexReader::IndexReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink)
    : SeekingReader(source, limits, sink),
      assembly_(window_, limits, sink),
      container_(assembly_.container()) {}

bool IndexReader::read_part(SectionPart& part) {
  if (begin()) read_start();
  part.reset(container_.snapshots.size());
  if (!container_.stopped && container_.snapshots.size() < container_.index->entries.size()) {
    read_snapshot(part);
    return true;
  }
  return !has_ended() && read_end(part);
}

/// Finds the index with the help of the last 32 bytes of the file. spec: mvmheap/v2.md#index
void IndexReader::read_start() {
  const std::uint64_t size = container_.byte_count = source_->byte_count();
  if (size < magic.size() + trailer_bytes)
    return fail(rules::file_truncated, {size, 0}, "/index",
                fmt::format("file has {}, expected at least {} to contain an index",
                            core::counted(size, "byte"), magic.size() + trailer_bytes));
  const Span place{size - trailer_bytes, trailer_bytes};
  seek(place.offset);
  const auto trailer = grammar::trailer(window_.peek(trailer_bytes));
  if (!trailer) return fail(rules::file_truncated, place, "/index", "file ends inside the trailer");
  const std::uint64_t room = (place.offset - magic.size()) / index_entry_bytes;
  // A damaged trailer must not lead to entries outside the file.
  if (trailer->snapshots > room) {
    return fail(rules::section_order, place, "/index/trailer",
                fmt::format("trailer counts {}, expected at most {} in a file of this size",
                            core::counted(trailer->snapshots, "snapshot"), room));
  }
  if (trailer->snapshots > limits_.max_blocks) {
    return fail(core::rules::limit_items, place, "/index",
                fmt::format("index exceeds the limit of {} entries", limits_.max_blocks));
  }
  const std::uint64_t start = place.offset - trailer->snapshots * index_entry_bytes;
  const std::uint64_t rows =
      core::saturating_add(core::saturating_add(trailer->strings, trailer->types), trailer->static_frames);
  if (rows > start - magic.size()) {
    return fail(rules::section_order, place, "/index/trailer",
                fmt::format("last sections take {} according to the trailer, expected at most {}",
                            core::counted(rows, "byte"), start - magic.size()));
  }
  last_start_ = start - rows;
  read_entries(start, *trailer);
}

void IndexReader::read_entries(std::uint64_t start, const grammar::Trailer& trailer) {
  Index index{{start, container_.byte_count - start}, {}, trailer};
  seek(start);
  for (std::uint64_t i = 0; i < trailer.snapshots; ++i) {
    const auto entry = grammar::index_entry(window_.peek(index_entry_bytes));
    if (!entry) return fail(rules::file_truncated, index.span, "/index", "file ends inside the index");
    index.entries.push_back(*entry);
    window_.consume(index_entry_bytes);
  }
  container_.index = std::move(index);
}

void IndexReader::read_snapshot(SectionPart& part) {
  const std::size_t i = container_.snapshots.size();
  const grammar::IndexEntry entry = container_.index->entries[i];
  assembly_.begin_snapshot(part);
  seek(next_);
  const bool is_left_out = only_snapshot_ && *only_snapshot_ != part.index;
  const bool is_after_graph = is_left_out ? skip_graph(part, entry) : read_graph(part, entry);
  const bool has_rows = is_after_graph && read_rows(part, entry);
  next_ = window_.offset();
  if (has_rows && !rows_are_last_) assembly_.tables().continue_after_rows();
  assembly_.end_snapshot(part, has_rows);
}

bool IndexReader::read_graph(SectionPart& part, const grammar::IndexEntry& entry) {
  return read_section(part, SectionKind::collectables, entry.collectables, false) &&
         read_section(part, SectionKind::references, entry.references, false);
}

/// Skips the graph of a snapshot, whose size is in the index.
bool IndexReader::skip_graph(const SectionPart& part, const grammar::IndexEntry& entry) {
  const std::uint64_t size = core::saturating_add(entry.collectables, entry.references);
  const bool is_inside = core::is_inside(next_, size, container_.byte_count);
  if (is_inside) seek(next_ + size);
  if (!is_inside)
    fail(
        rules::section_framing, container_.index->entry_place(part.index),
        fmt::format("/snapshots/{}", part.index),
        fmt::format("graph takes {} according to the index, expected at most {}", core::counted(size, "byte"),
                    container_.byte_count - std::min(next_, container_.byte_count)));
  return is_inside;
}

/// Reads the rows after a snapshot. If they take up 0 bytes according to the index, they are rows in layout C
/// or, after the last snapshot, the last sections themselves. Returns whether there were any rows.
bool IndexReader::read_rows(SectionPart& part, const grammar::IndexEntry& entry) {
  const std::uint64_t start = window_.offset();
  const bool is_last_snapshot = container_.snapshots.size() == container_.index->entries.size();
  rows_are_last_ = entry.increments == 0 && start == last_start_ && is_last_snapshot;
  if (rows_are_last_) return read_last_sections(part, false);
  const bool is_uncounted =
      start < last_start_ && find_section(window_.peek(section_look_ahead)) == SectionKind::strings;
  if (entry.increments == 0 && !is_uncounted) return false;
  for (const SectionKind kind : {SectionKind::strings, SectionKind::types, SectionKind::static_frames}) {
    if (!read_section(part, kind, std::nullopt, false)) return true;
  }
  const std::uint64_t size = window_.offset() - start;
  if (entry.increments != 0 && entry.increments != size) {
    fail(rules::section_framing, {start, size}, fmt::format("/snapshots/{}", part.index),
         fmt::format("rows take {}, expected {} according to the index", core::counted(size, "byte"),
                     entry.increments));
  }
  return true;
}

/// Reads the sections whose sizes are in the trailer. Returns whether the first of them could be read.
bool IndexReader::read_last_sections(SectionPart& part, bool is_last) {
  const grammar::Trailer& trailer = container_.index->trailer;
  const bool has_rows = read_section(part, SectionKind::strings, trailer.strings, is_last);
  read_section(part, SectionKind::types, trailer.types, is_last);
  read_section(part, SectionKind::static_frames, trailer.static_frames, is_last);
  return has_rows;
}

bool IndexReader::read_end(SectionPart& part) {
  last_.reset(container_.snapshots.size());
  if (!container_.stopped && !rows_are_last_) {
    if (next_ == last_start_) {
      seek(next_);
      read_last_sections(last_, true);
    } else {
      fail(rules::section_order, container_.index->trailer_place(), "/index/trailer",
           fmt::format(
               "trailer places the last sections at byte {}, expected {}, the end of the last snapshot",
               last_start_, next_));
    }
  }
  progress_ = container_.stopped ? Progress::incomplete : Progress::complete;
  container_.stopped = true;
  return assembly_.end_file(part, last_, true);
}

/// Reads a section of this kind and, unless `size` is empty, of this size. Fails if there is no such section.
bool IndexReader::read_section(SectionPart& part, SectionKind kind, std::optional<std::uint64_t> size,
                               bool is_last) {
  if (container_.stopped) return false;
  const Span front{window_.offset(), window_.look(tag_bytes).size()};
  const std::string path = is_last ? "" : fmt::format("/snapshots/{}", part.index);
  // After one wrong offset, all later offsets are in doubt, so the section is not searched for.
  if (find_section(window_.peek(section_look_ahead)) != kind) {
    fail(rules::section_order, front, path,
         fmt::format("found no {}, but the index lists some", name_of(kind)));
    return false;
  }
  Section section;
  section.kind = kind;
  section.is_last = is_last;
  const SectionOutcome outcome = assembly_.read_section(section, part);
  if (outcome == SectionOutcome::truncated) {
    fail(rules::file_truncated, section.span, path, fmt::format("file ends inside {}", name_of(kind)));
  } else if (outcome == SectionOutcome::stopped) {
    container_.stopped = true;
  } else if (size && section.span.length != *size) {
    fail(rules::section_framing, section.span, path,
         fmt::format("{} take {}, expected {} according to the index", name_of(kind),
                     core::counted(section.span.length, "byte"), *size));
  }
  return !container_.stopped;
}

/// Reports a finding and stops.
void IndexReader::fail(const Rule& rule, Span place, const std::string& path, std::string message) {
  container_.stopped = true;
  report(rule, place, path, std::move(message));
}

}  // namespace heapcheck::mvmheap::v2
