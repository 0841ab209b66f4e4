#include "formats/mvmheap/v2/grammar.hpp"

#include <boost/fusion/adapted/struct/adapt_struct.hpp>
#include <string>

#include "formats/core/text/x3.hpp"

namespace fields = heapcheck::mvmheap::v2::grammar;
BOOST_FUSION_ADAPT_STRUCT(fields::SectionHead, count, entry_bytes)
BOOST_FUSION_ADAPT_STRUCT(fields::Collectable, kind, type_or_frame_index, size, unmanaged_size, refs_start,
                          num_refs)
BOOST_FUSION_ADAPT_STRUCT(fields::Reference, width, kind, index, target)
BOOST_FUSION_ADAPT_STRUCT(fields::TypeRow, repr_name, type_name)
BOOST_FUSION_ADAPT_STRUCT(fields::FrameRow, name, cuid, line, file)
BOOST_FUSION_ADAPT_STRUCT(fields::IndexEntry, collectables, references, middle, increments)
BOOST_FUSION_ADAPT_STRUCT(fields::Trailer, strings, types, static_frames, snapshots)

namespace heapcheck::mvmheap::v2::grammar {
namespace {

namespace x3 = core::x3;

const auto u16 = x3::little_word;
const auto u32 = x3::little_dword;
const auto u64 = x3::little_qword;

/// A reference of one width: its width byte, its kind, and its index and target, both of which are of type
/// Value.
template <class Value>
auto reference_of(char code, const Value& value) {
  return x3::char_(code) >> x3::byte_ >> value >> value;
}
const auto reference_rule =
    reference_of('0', x3::byte_) | reference_of('1', u16) | reference_of('3', u32) | reference_of('6', u64);

template <class Value, class Parser>
std::optional<Value> take(core::ByteSpan bytes, const Parser& parser) {
  const auto match = x3::match<Value>(bytes, parser);
  return match ? std::optional(match->value) : std::nullopt;
}

}  // namespace

bool magic(core::ByteSpan bytes) {
  return x3::match<x3::unused_type>(bytes, x3::omit[x3::lit(std::string(v2::magic))]).has_value();
}

std::optional<Tag> tag(core::ByteSpan bytes) {
  const auto match = x3::match<std::string>(bytes, x3::repeat(tag_bytes)[x3::byte_]);
  if (!match) return std::nullopt;
  Tag found;
  match->value.copy(found.bytes.data(), found.bytes.size());
  return found;
}

std::optional<SectionHead> section_head(core::ByteSpan bytes) { return take<SectionHead>(bytes, u64 >> u64); }

std::optional<std::uint64_t> strings_head(core::ByteSpan bytes) { return take<std::uint64_t>(bytes, u64); }

std::optional<std::uint64_t> string_length(core::ByteSpan bytes) { return take<std::uint64_t>(bytes, u64); }

std::optional<Collectable> collectable(core::ByteSpan bytes) {
  return take<Collectable>(bytes, u16 >> u32 >> u16 >> u64 >> u64 >> u32);
}

std::optional<Reference> reference(core::ByteSpan bytes) { return take<Reference>(bytes, reference_rule); }

std::optional<TypeRow> type_row(core::ByteSpan bytes) { return take<TypeRow>(bytes, u64 >> u64); }

std::optional<FrameRow> frame_row(core::ByteSpan bytes) {
  return take<FrameRow>(bytes, u64 >> u64 >> u64 >> u64);
}

std::optional<IndexEntry> index_entry(core::ByteSpan bytes) {
  return take<IndexEntry>(bytes, u64 >> u64 >> u64 >> u64);
}

std::optional<Trailer> trailer(core::ByteSpan bytes) {
  return take<Trailer>(bytes, u64 >> u64 >> u64 >> u64);
}

}  // namespace heapcheck::mvmheap::v2::grammar
