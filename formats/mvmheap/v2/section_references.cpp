// Reads the references in a section. They differ in size, so every width byte must be correct.
#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/entries.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"
#include "formats/mvmheap/v2/section_reader.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

/// This number of consecutive references cannot be a coincidence.
constexpr int sure_chain = 4;

/// Whether `at` starts a chain of sure_chain references, or a shorter chain that ends at the next section.
bool is_reference_chain(ByteSpan bytes, std::size_t at) {
  for (int i = 0; i < sure_chain; ++i) {
    if (at >= bytes.size()) return false;
    const ByteSpan rest = bytes.subspan(at);
    if (find_section(rest)) return true;
    if (!is_reference(rest)) return false;
    at += reference_bytes(width_bytes(rest[0]));
  }
  return true;
}

/// Whether references would follow if the width byte at `at` were different.
bool can_be_repaired(ByteSpan bytes, std::size_t at) {
  if (at + 1 >= bytes.size() || bytes[at + 1] > static_cast<std::uint8_t>(ReferenceKind::string))
    return false;
  return std::ranges::any_of(widths, [&](const Width& width) {
    return width.code != bytes[at] && is_reference_chain(bytes, at + reference_bytes(width.byte_count));
  });
}

/// The width byte to blame if there is no reference at `at`: the width byte there, or one of the last few
/// width bytes before it.
std::optional<std::size_t> find_wrong_width(ByteSpan bytes, std::size_t at) {
  constexpr std::size_t most_before = 4 * most_reference_bytes;
  if (can_be_repaired(bytes, at)) return at;
  const std::size_t first = at - std::min(at, most_before);
  for (std::size_t place = at; place-- > first;) {
    if (is_reference(bytes.subspan(place)) && can_be_repaired(bytes, place) &&
        !is_reference_chain(bytes, place))
      return place;
  }
  return std::nullopt;
}

}  // namespace

SectionOutcome SectionReader::read_references(Section& section, SectionPart& part, const Tables& tables) {
  if (!read_head(section)) return SectionOutcome::truncated;
  References& references = part.snapshot.references;
  if (part.holds_all_columns()) {
    references.description.reserve(expected_count(section));
    references.target.reserve(expected_count(section));
  }
  bool is_odd = false;
  // The index contains the offset of this reference. spec: mvmheap/v2.md#index
  part.places.asked = section.declared_count / 2;
  while (section.count != section.declared_count || !is_boundary(section, look_ahead(*window_))) {
    const Ahead ahead = look_ahead(*window_);
    const std::uint64_t left =
        section.count < section.declared_count ? section.declared_count - section.count : 0;
    const std::uint64_t most = left != 0 ? left : UINT64_MAX;
    const auto decoded = decode_references(ahead.bytes, window_->offset(), most, references, part.places);
    const ByteSpan rest = ahead.bytes.subspan(decoded.byte_count);
    const bool is_stuck = decoded.count < most && !rest.empty() && width_bytes(rest[0]) == 0 &&
                          (ahead.is_rest || rest.size() >= section_look_ahead);
    section.count += decoded.count;
    section.wide += decoded.wide;
    if (is_stuck) return end_references(section, part, ahead.bytes, decoded.byte_count, is_odd);
    if (decoded.is_odd)
      report_odd_references(section, ahead.bytes.first(decoded.byte_count), window_->offset());
    is_odd = is_odd || decoded.is_odd;
    window_->consume(decoded.byte_count);
    part.show_columns();
    if (!fits_memory(section, part, tables)) return SectionOutcome::stopped;
    if (decoded.count == most || !ahead.is_rest) continue;
    if (!rest.empty() || section.count < section.declared_count) return SectionOutcome::truncated;
    break;
  }
  settle_count(section);
  return is_odd ? SectionOutcome::broken : SectionOutcome::whole;
}

/// Decides whether the section ends or is damaged at `at` in `bytes`, where there is no reference.
SectionOutcome SectionReader::end_references(Section& section, const SectionPart& part, ByteSpan bytes,
                                             std::size_t at, bool is_odd) {
  const Span front{window_->offset() + at, 1};
  const auto blamed = find_wrong_width(bytes, at);
  const std::uint64_t offset = window_->offset();
  const std::uint8_t found = bytes[at];
  const bool is_end = find_section(bytes.subspan(at)).has_value();
  window_->consume(at);
  if (section.count == section.declared_count) return is_odd ? SectionOutcome::broken : SectionOutcome::whole;
  // The collectables show whether the problem is a wrong count or a width that made references too long or
  // too short.
  if (is_end && count_owned(part.snapshot.collectables) != section.declared_count)
    return settle_count(section);
  if (is_end) {
    report(rules::refs_width, section.span, section,
           fmt::format("widths yield {}, expected {}", core::counted(section.count, "reference"),
                       section.declared_count));
    return SectionOutcome::broken;
  }
  const Span place = blamed ? Span{offset + *blamed, 1} : front;
  report(rules::refs_width, place, section,
         fmt::format("width of reference {} is {:02x}, expected one that leads to the next reference",
                     section.count, found));
  find_next_section(*window_);
  return SectionOutcome::broken;
}

/// Reports references whose kind or index has more bits than the writer can store.
void SectionReader::report_odd_references(Section& section, ByteSpan bytes, std::uint64_t offset) {
  std::uint64_t wanted = sink_->wanted(rules::refs_kind);
  std::uint64_t more = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto entry = grammar::reference(bytes.subspan(at));
    if (!entry) return;
    const std::size_t size = reference_bytes(width_bytes(entry->width));
    const bool is_odd = (entry->kind >> kind_bits) != 0 || entry->index >> (64 - kind_bits) != 0;
    // Every reference may be odd, so only the wanted number of references is described.
    if (is_odd && wanted != 0) {
      --wanted;
      report(rules::refs_kind, {offset + at, size}, section,
             fmt::format("reference has kind {} and index {}, expected a kind of at most 2 bits and an index "
                         "of at most 62 bits",
                         entry->kind, entry->index));
    } else if (is_odd) {
      ++more;
    }
    at += size;
  }
  if (more != 0) sink_->report_more(rules::refs_kind, more);
}

}  // namespace heapcheck::mvmheap::v2
