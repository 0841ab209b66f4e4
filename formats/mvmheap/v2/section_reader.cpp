#include "formats/mvmheap/v2/section_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/checked.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/entries.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

/// The largest number of entries in a section for which every index fits in a 32-bit column.
constexpr std::uint64_t most_items = 0xFFFF'FFFE;
constexpr unsigned half_bits = 32;

/// Whether all of these collectables have valid kinds, which is unlikely for bytes of a different section.
bool have_kinds(ByteSpan entries) {
  std::uint32_t wrong = 0;
  for (std::size_t at = 0; at + collectable_bytes <= entries.size(); at += collectable_bytes) {
    const std::uint32_t kind = core::decode_le<std::uint16_t>(entries.data() + at);
    wrong |= static_cast<std::uint32_t>(kind - 1U >= last_collectable_kind);
  }
  return wrong == 0;
}

/// Whether the upper half of the first field repeats the second field, as in layout C.
bool repeats_fields(ByteSpan row) {
  if (row.size() < 2 * sizeof(std::uint64_t)) return false;
  const auto first = core::decode_le<std::uint64_t>(row.data());
  const auto second = core::decode_le<std::uint64_t>(row.data() + sizeof(std::uint64_t));
  return first >> half_bits != 0 && first >> half_bits == (second & UINT32_MAX);
}

/// Whether the lower halves of all string indices of a type or static frame are less than `strings`.
bool has_known_strings(ByteSpan row, std::uint64_t strings) {
  constexpr std::size_t line_offset = 16;
  const bool is_frame = row.size() == info_of(SectionKind::static_frames).entry_bytes;
  for (std::size_t at = 0; at < row.size(); at += sizeof(std::uint64_t)) {
    const bool is_line = is_frame && at == line_offset;
    if (!is_line && core::decode_le<std::uint32_t>(row.data() + at) >= strings) return false;
  }
  return true;
}

/// Distributes the fields of rows among columns. If the upper halves are cut off, keeps only the lower
/// halves.
class RowSplitter {
 public:
  RowSplitter(Section& section, UpperHalves upper) : section_(&section), upper_(upper) {}

  void split(ByteSpan rows, const auto& columns) {
    if (section_->count == 0)
      cuts_ = upper_ == UpperHalves::unknown ? repeats_fields(rows) : upper_ == UpperHalves::cut_off;
    std::uint64_t offset = section_->content() + section_->count * info_of(section_->kind).entry_bytes;
    for (std::size_t at = 0; at < rows.size();) {
      for (auto* column : columns) column->push_back(take(rows, at, offset));
    }
  }

 private:
  std::uint64_t take(ByteSpan rows, std::size_t& at, std::uint64_t& offset) {
    const auto value = core::decode_le<std::uint64_t>(rows.data() + at);
    at += sizeof(value);
    offset += sizeof(value);
    if (!cuts_) return value;
    const Span place{offset - sizeof(value), sizeof(value)};
    if (value > UINT32_MAX && !section_->upper_half) section_->upper_half = place;
    if (previous_ && *previous_ >> 32 != (value & UINT32_MAX) && !section_->upper_mismatch)
      section_->upper_mismatch = Span{place.offset - sizeof(value), sizeof(value)};
    previous_ = value;
    return value & UINT32_MAX;
  }

  Section* section_;
  UpperHalves upper_;
  bool cuts_ = false;
  std::optional<std::uint64_t> previous_;  // the previous field, if its upper half is cut off
};

}  // namespace

std::string path_of(const Section& section) {
  const std::string_view name = name_of(section.kind);
  return section.is_last ? fmt::format("/{}", name) : fmt::format("/snapshots/{}/{}", section.part, name);
}

void SectionReader::report(const Rule& rule, Span place, Section& section, std::string message) {
  section.certain = false;
  sink_->report({&rule, {place, std::nullopt, path_of(section)}, std::move(message)});
}

bool SectionReader::fits_memory(Section& section, const SectionPart& part, const Tables& tables,
                                std::uint64_t extra) {
  if (section.count > most_items) {
    report(core::rules::limit_items, {window_->offset(), 0}, section,
           fmt::format("section exceeds the limit of {} entries", most_items));
    return false;
  }
  const std::uint64_t places = part.places.offsets.capacity() * sizeof(std::uint64_t);
  if (memory_.fits(memory_needed(part, tables) + places + extra + other_memory_)) return true;
  report(core::rules::limit_memory, {window_->offset(), 0}, section, memory_.describe_lack("columns"));
  return false;
}

/// Reads the tag, count and entry size. Uses the entry size that the format requires, even if the head states
/// a different one.
bool SectionReader::read_head(Section& section) {
  const SectionInfo& info = info_of(section.kind);
  const ByteSpan bytes = window_->peek(info.head_bytes);
  if (bytes.size() < info.head_bytes) return false;
  const auto tag = grammar::tag(bytes);
  // In this case, the section was recognised by its entry size or its strings, so only its tag can be
  // damaged.
  if (tag && tag->text() != info.tag) {
    report(rules::section_tag, {section.span.offset, tag_bytes}, section,
           fmt::format("tag is {:02x}, expected \"{}\"", fmt::join(bytes.first(tag_bytes), " "), info.tag));
  }
  if (section.kind == SectionKind::strings) {
    section.declared_count = grammar::strings_head(bytes.subspan(tag_bytes)).value_or(0);
  } else if (const auto head = grammar::section_head(bytes.subspan(tag_bytes))) {
    section.declared_count = head->count;
    if (head->entry_bytes != info.entry_bytes) {
      report(rules::section_entry_size,
             {section.span.offset + tag_bytes + sizeof(std::uint64_t), sizeof(std::uint64_t)}, section,
             fmt::format("entry size is {}, expected {}", head->entry_bytes, info.entry_bytes));
    }
  }
  window_->consume(info.head_bytes);
  return true;
}

/// Whether the front of the window looks like something that may follow a section. It is not validated until
/// it is read.
bool SectionReader::is_boundary(const Section& section, const Ahead& ahead) const {
  if (ahead.bytes.empty() || guess_section(ahead.bytes)) return true;
  if (ahead.is_rest && is_cut_tag(ahead.bytes)) return true;
  // If later sections were lost or swapped, the index may follow references.
  if (section.kind == SectionKind::references && section.part != 0)
    return is_known_index(ahead.bytes, *container_);
  if (section.kind != SectionKind::static_frames) return false;
  return is_index(ahead.bytes, ahead.is_rest, *container_) ||
         (ahead.is_rest && is_cut_off(ahead.bytes, *container_));
}

/// The first position below `places` where a section or the index starts, or `places` if there is none.
std::size_t SectionReader::find_entries_end(const Section& section, const Tables& tables, const Ahead& ahead,
                                            std::size_t places, bool is_beyond) const {
  if (section.kind == SectionKind::collectables && !is_beyond && have_kinds(ahead.bytes.first(places)))
    return places;
  const std::size_t end = find_section_place(ahead.bytes, places).value_or(places);
  if (section.kind != SectionKind::static_frames) return end;
  // An entry can contain the same numbers as the index; the bytes after all entries are better evidence.
  const bool is_all =
      !is_beyond && section.declared_count - section.count == places / info_of(section.kind).entry_bytes;
  if (is_all && end == places && is_boundary(section, {ahead.bytes.subspan(places), ahead.is_rest}))
    return end;
  const ByteSpan rows = ahead.bytes.first(end - end % info_of(section.kind).entry_bytes);
  if (!is_all && !is_beyond && !find_odd_entry(section, rows, tables)) return end;
  return find_index_place(ahead.bytes, end, *container_).value_or(end);
}

/// Reads as many entries of constant size as the head states. If another section starts earlier or none
/// starts after them, either the count is wrong or there are too few or too many bytes.
template <class Decode>
SectionOutcome SectionReader::read_entries(Section& section, const SectionPart& part, const Tables& tables,
                                           Decode&& decode) {
  const std::size_t entry_bytes = info_of(section.kind).entry_bytes;
  std::optional<std::uint64_t> odd;  // the first offset at which there is probably no entry
  bool is_beyond = false;
  for (;;) {
    if (section.count == section.declared_count && !is_beyond) {
      if (is_boundary(section, look_ahead(*window_))) return SectionOutcome::whole;
      is_beyond = true;
    }
    const Ahead ahead = look_ahead(*window_);
    const std::size_t sure = ahead.bytes.size() - (ahead.is_rest ? 0 : section_look_ahead);
    const std::uint64_t left = is_beyond ? UINT64_MAX : section.declared_count - section.count;
    const auto entries = static_cast<std::size_t>(std::min<std::uint64_t>(left, sure / entry_bytes));
    const std::size_t places = entries == left ? entries * entry_bytes : sure;
    const std::size_t end = find_entries_end(section, tables, ahead, places, is_beyond);
    const std::size_t whole = std::min(entries * entry_bytes, end - end % entry_bytes);
    if (!odd) odd = find_odd_entry(section, ahead.bytes.first(whole), tables);
    decode(ahead.bytes.first(whole));
    window_->consume(whole);
    section.count += whole / entry_bytes;
    if (!fits_memory(section, part, tables)) return SectionOutcome::stopped;
    if (end < places && end == whole && !odd) return settle_count(section);
    if (end < places || (is_beyond && ahead.is_rest)) {
      window_->consume(end - whole);
      return fail_entries(section, odd);
    }
    if (whole == 0) return SectionOutcome::truncated;
  }
}

/// The first offset at which there is probably no entry, because a collectable there would have an invalid
/// kind or a row would have unknown strings.
std::optional<std::uint64_t> SectionReader::find_odd_entry(const Section& section, ByteSpan entries,
                                                           const Tables& tables) const {
  if (section.kind == SectionKind::collectables && have_kinds(entries)) return std::nullopt;
  const std::size_t entry_bytes = info_of(section.kind).entry_bytes;
  for (std::size_t at = 0; at < entries.size(); at += entry_bytes) {
    const ByteSpan entry = entries.subspan(at, entry_bytes);
    const bool is_sound = section.kind == SectionKind::collectables
                              ? have_kinds(entry)
                              : has_known_strings(entry, tables.strings.count());
    if (!is_sound) return window_->offset() + at;
  }
  return std::nullopt;
}

SectionOutcome SectionReader::fail_entries(Section& section, std::optional<std::uint64_t> odd) {
  const std::uint64_t entry_bytes = info_of(section.kind).entry_bytes;
  const std::uint64_t end = window_->offset();
  const std::uint64_t content = section.content();
  const auto declared = core::checked_multiply(section.declared_count, entry_bytes);
  std::uint64_t start = declared && *declared < end - content ? content + *declared : end;
  if (odd) start = std::min(start, std::max(content, *odd - std::min(*odd, entry_bytes)));
  if (start == end) start = content;
  report(rules::section_framing, {start, end - start}, section,
         fmt::format("entries take {} up to the next section, expected {} times {}",
                     core::counted(end - content, "byte"), section.declared_count, entry_bytes));
  return SectionOutcome::broken;
}

SectionOutcome SectionReader::settle_count(Section& section) {
  if (section.count != section.declared_count) {
    report(rules::section_count, {section.span.offset + tag_bytes, sizeof(std::uint64_t)}, section,
           fmt::format("count is {}, expected {}, the number of entries in the section",
                       section.declared_count, section.count));
  }
  return SectionOutcome::whole;
}

SectionOutcome SectionReader::read_collectables(Section& section, SectionPart& part, const Tables& tables) {
  if (!read_head(section)) return SectionOutcome::truncated;
  Collectables& collectables = part.snapshot.collectables;
  const std::uint64_t expected = expected_count(section);
  collectables.kind.reserve(expected);
  collectables.type_or_frame_index.reserve(expected);
  if (part.holds_all_columns()) {
    collectables.size.reserve(expected);
    collectables.unmanaged_size.reserve(expected);
  }
  collectables.refs_start.reserve(expected);
  collectables.num_refs.reserve(expected);
  return read_entries(section, part, tables, [&](ByteSpan entries) {
    decode_collectables(entries, part.snapshot.collectables);
    part.show_columns();
  });
}

SectionOutcome SectionReader::read_rows(Section& section, const SectionPart& part, Tables& tables,
                                        UpperHalves upper) {
  if (!read_head(section)) return SectionOutcome::truncated;
  RowSplitter splitter(section, upper);
  return read_entries(section, part, tables, [&](ByteSpan rows) {
    if (section.kind == SectionKind::types) return splitter.split(rows, columns_of(tables.types));
    splitter.split(rows, columns_of(tables.static_frames));
  });
}

}  // namespace heapcheck::mvmheap::v2
