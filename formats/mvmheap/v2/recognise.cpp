#include "formats/mvmheap/v2/recognise.hpp"

#include <algorithm>
#include <array>

#include "formats/core/codec.hpp"
#include "formats/mvmheap/first_bytes.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

/// String lengths below this are accepted without further checks.
constexpr std::uint64_t believable_length = std::uint64_t{1} << 32;

std::optional<SectionKind> find_tag(ByteSpan bytes) {
  const auto tag = grammar::tag(bytes);
  const auto found = tag ? std::ranges::find(sections, tag->text(), &SectionInfo::tag) : sections.end();
  if (found == sections.end()) return std::nullopt;
  return static_cast<SectionKind>(found - sections.begin());
}

/// The kind of section whose entry size matches the entry size in the head at the start of `bytes`.
std::optional<SectionKind> find_by_entry_bytes(ByteSpan bytes) {
  const auto head = grammar::section_head(bytes.subspan(std::min(bytes.size(), tag_bytes)));
  if (!head || head->entry_bytes == 0) return std::nullopt;
  const auto found = std::ranges::find(sections, head->entry_bytes, &SectionInfo::entry_bytes);
  if (found == sections.end()) return std::nullopt;
  return static_cast<SectionKind>(found - sections.begin());
}

/// Whether the head of a strings section is followed by the first string or, if the section is empty, by the
/// next section.
bool holds_strings(ByteSpan bytes) {
  const ByteSpan content = bytes.subspan(std::min(bytes.size(), info_of(SectionKind::strings).head_bytes));
  if (find_tag(content) && find_by_entry_bytes(content)) return true;
  const auto length = grammar::string_length(content);
  return length ? *length < believable_length : content.empty();
}

/// Whether strings follow a head with a damaged tag. Empty strings are no evidence, because they are all
/// zeros.
bool looks_like_strings(ByteSpan bytes) {
  const ByteSpan content = bytes.subspan(std::min(bytes.size(), info_of(SectionKind::strings).head_bytes));
  const auto length = grammar::string_length(content);
  return length && *length != 0 && is_string_chain(content);
}

constexpr FirstBytes first_bytes(sections, [](const SectionInfo& info) { return info.tag; });

/// Whether `bytes` begin with a tag. This quick test excludes most positions, so that the search does not
/// have to examine them closely.
bool is_tag(ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes.first(std::min(bytes.size(), tag_bytes)));
  return std::ranges::any_of(sections, [text](const SectionInfo& info) { return info.tag == text; });
}

/// The number of equal fields among the first three. Section sizes are rarely equal by chance.
int count_agreeing(const grammar::IndexEntry& a, const grammar::IndexEntry& b) {
  return static_cast<int>(a.collectables == b.collectables) + static_cast<int>(a.references == b.references) +
         static_cast<int>(a.middle == b.middle);
}
/// The number of equal fields that are not 0. The sizes of sections that were not read are 0, and so are
/// damaged bytes.
int count_agreeing(const grammar::Trailer& a, const grammar::Trailer& b) {
  const auto agree = [](std::uint64_t size, std::uint64_t other) { return size == other && size != 0; };
  return static_cast<int>(agree(a.strings, b.strings)) + static_cast<int>(agree(a.types, b.types)) +
         static_cast<int>(agree(a.static_frames, b.static_frames)) +
         static_cast<int>(a.snapshots == b.snapshots);
}

/// Whether the last 32 bytes are the trailer of an index that fills all of `bytes`.
bool ends_as_index(ByteSpan bytes) {
  if (bytes.size() < trailer_bytes || bytes.size() % index_entry_bytes != 0) return false;
  const auto trailer = grammar::trailer(bytes.last(trailer_bytes));
  return trailer && trailer->snapshots == bytes.size() / index_entry_bytes - 1;
}

}  // namespace

std::optional<SectionKind> find_section(ByteSpan bytes) {
  const auto kind = find_tag(bytes);
  if (!kind) return std::nullopt;
  const bool fits = *kind == SectionKind::strings ? holds_strings(bytes) : find_by_entry_bytes(bytes) == kind;
  return fits ? kind : std::nullopt;
}

std::optional<SectionKind> guess_section(ByteSpan bytes) {
  if (const auto tagged = find_tag(bytes)) return tagged;
  if (const auto sized = find_by_entry_bytes(bytes)) return sized;
  return looks_like_strings(bytes) ? std::optional(SectionKind::strings) : std::nullopt;
}

bool is_string_chain(ByteSpan bytes) {
  constexpr int enough = 3;
  constexpr std::uint64_t usual_length = 4096;
  constexpr std::size_t length_bytes = sizeof(std::uint64_t);
  for (int i = 0; i < enough; ++i) {
    if (find_section(bytes)) return true;
    const auto length = grammar::string_length(bytes);
    if (!length || *length > std::min<std::uint64_t>(usual_length, bytes.size() - length_bytes)) return false;
    const ByteSpan text = bytes.subspan(length_bytes, static_cast<std::size_t>(*length));
    if (std::ranges::find(text, 0) != text.end()) return false;
    bytes = bytes.subspan(length_bytes + text.size());
  }
  return true;
}

std::optional<std::size_t> find_section_place(ByteSpan bytes, std::size_t places) {
  places = std::min(places, bytes.size());
  for (std::size_t i = first_bytes.find(bytes, 0, places); i < places;
       i = first_bytes.find(bytes, i + 1, places)) {
    if (is_tag(bytes.subspan(i)) && find_section(bytes.subspan(i))) return i;
  }
  return std::nullopt;
}

bool find_next_section(core::Window& window) {
  for (;;) {
    const Ahead ahead = look_ahead(window);
    if (ahead.bytes.empty()) return false;
    const std::size_t places = ahead.is_rest
                                   ? ahead.bytes.size()
                                   : ahead.bytes.size() - std::min(ahead.bytes.size(), section_look_ahead);
    if (const auto place = find_section_place(ahead.bytes, places)) {
      window.consume(*place);
      return true;
    }
    window.skip_in_search(std::max<std::size_t>(places, 1));
  }
}

bool is_known_index(ByteSpan bytes, const SectionContainer& container) {
  constexpr int enough = 2;
  const std::size_t entries = container.snapshots.size();
  if (const auto first = grammar::index_entry(bytes); first && entries != 0) {
    if (count_agreeing(*first, container.snapshots.front().entry) >= enough) return true;
  }
  if (bytes.size() / index_entry_bytes <= entries) return false;
  const auto trailer = grammar::trailer(bytes.subspan(entries * index_entry_bytes));
  return trailer && count_agreeing(*trailer, container.last) > enough;
}

std::optional<std::size_t> find_index_place(ByteSpan bytes, std::size_t places,
                                            const SectionContainer& container) {
  if (container.snapshots.empty()) return std::nullopt;
  const grammar::IndexEntry& first = container.snapshots.front().entry;
  for (std::size_t at = 0; at < places && bytes.size() - at >= index_entry_bytes; ++at) {
    if (core::decode_le<std::uint64_t>(bytes.data() + at) == first.collectables &&
        is_known_index(bytes.subspan(at), container))
      return at;
  }
  return std::nullopt;
}

bool is_index(ByteSpan bytes, bool is_rest, const SectionContainer& container) {
  return is_known_index(bytes, container) || (is_rest && ends_as_index(bytes));
}

bool is_cut_tag(ByteSpan bytes) {
  return !bytes.empty() && bytes.size() < tag_bytes &&
         std::ranges::any_of(
             sections,
             [bytes](const SectionInfo& info) { return info.tag.starts_with(core::as_text(bytes)); });
}

bool is_cut_off(ByteSpan bytes, const SectionContainer& container) {
  constexpr unsigned bits_per_byte = 8;
  if (is_cut_tag(bytes)) return true;
  if (bytes.empty() || bytes.size() >= index_entry_bytes || container.snapshots.empty()) return false;
  std::array<std::uint8_t, index_entry_bytes> whole{};
  std::ranges::copy(bytes, whole.begin());
  const auto entry = grammar::index_entry(whole);
  const std::size_t known = std::min(bytes.size(), sizeof(std::uint64_t));
  const std::uint64_t mask = UINT64_MAX >> (64 - bits_per_byte * known);
  return entry && entry->collectables == (container.snapshots.front().entry.collectables & mask);
}

}  // namespace heapcheck::mvmheap::v2
