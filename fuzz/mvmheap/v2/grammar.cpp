// Property: each production accepts the same bytes as a plain decoder, and rejects input that is too short;
// the loops over entries accept the same bytes as the productions.
#include "formats/mvmheap/v2/grammar.hpp"

#include "formats/mvmheap/v2/entries.hpp"
#include "fuzz/support/decoding.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::decode;
using fuzz::require;

namespace {

void check_heads(core::ByteSpan bytes) {
  const auto tag = grammar::tag(bytes);
  require(tag.has_value() == (bytes.size() >= tag_bytes), "a tag is read if there are at least 4 bytes");
  require(!tag || tag->text() == core::as_text(bytes.first(tag_bytes)), "the text of a tag is its bytes");
  const auto head = grammar::section_head(bytes);
  require(head.has_value() == (bytes.size() >= 16), "a head is read if there are at least 16 bytes");
  require(!head || (head->count == decode<std::uint64_t>(bytes) &&
                    head->entry_bytes == decode<std::uint64_t>(bytes, 8)),
          "the count and the entry size of a head are decoded");
  require(grammar::strings_head(bytes) == decode<std::uint64_t>(bytes), "the count of strings is decoded");
  require(grammar::string_length(bytes) == decode<std::uint64_t>(bytes), "the length of a string is decoded");
  require(grammar::magic(bytes) == core::as_text(bytes).starts_with(magic), "the magic is recognised");
}

void check_collectable(core::ByteSpan bytes) {
  const auto entry = grammar::collectable(bytes);
  require(entry.has_value() == (bytes.size() >= collectable_bytes),
          "a collectable is read if there are at least 28 bytes");
  if (!entry) return;
  mvmheap::Collectables loop;
  decode_collectables(bytes.first(collectable_bytes), loop);
  require(loop.kind[0] == entry->kind && loop.type_or_frame_index[0] == entry->type_or_frame_index &&
              loop.size[0] == entry->size && loop.unmanaged_size[0] == entry->unmanaged_size &&
              loop.refs_start[0] == entry->refs_start && loop.num_refs[0] == entry->num_refs,
          "the loop reads the same fields");
}

void check_reference(core::ByteSpan bytes) {
  const auto entry = grammar::reference(bytes);
  mvmheap::References loop;
  ReferencePlaces places;
  const auto decoded = decode_references(bytes, 0, 1, loop, places);
  require(entry.has_value() == (decoded.count == 1), "the loop accepts exactly the same references");
  if (!entry) return;
  require(decoded.byte_count == reference_bytes(width_bytes(entry->width)), "the loop finds the same size");
  require(loop.target[0] == entry->target &&
              loop.description[0] >> kind_bits == entry->index << kind_bits >> kind_bits,
          "the loop reads the same index and target");
  require((loop.description[0] & 3U) == (entry->kind & 3U), "the loop reads the same kind");
  require(decoded.is_odd == (entry->kind > 3 || entry->index >> 62 != 0),
          "the loop marks references that the model cannot hold");
}

void check_all(core::ByteSpan bytes) {
  check_heads(bytes);
  check_collectable(bytes);
  check_reference(bytes);
  require(grammar::type_row(bytes).has_value() == (bytes.size() >= 16),
          "a type is read if there are at least 16 bytes");
  require(grammar::frame_row(bytes).has_value() == (bytes.size() >= 32),
          "a static frame is read if there are at least 32 bytes");
  require(grammar::index_entry(bytes).has_value() == (bytes.size() >= 32),
          "an entry of the index is read if there are at least 32 bytes");
  const auto trailer = grammar::trailer(bytes);
  require(trailer.has_value() == (bytes.size() >= 32), "a trailer is read if there are at least 32 bytes");
  require(!trailer || trailer->snapshots == decode<std::uint64_t>(bytes, 24),
          "the last field of a trailer is the number of snapshots");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_fronts({data, size}, check_all);
  return 0;
}
