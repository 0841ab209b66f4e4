// The productions of spec/mvmheap/v2.md#grammar, each as a function with the same name. Each function reads
// from the front of the given bytes, and returns nothing if they do not match or end too early. Grammars
// recognise; rules judge. Long runs of entries are read by the loops in entries.hpp, which a test compares
// with these functions. Owns nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v2/layout.hpp"

namespace heapcheck::mvmheap::v2::grammar {

/// A tag in the file.
struct Tag {
  std::array<char, tag_bytes> bytes{};
  [[nodiscard]] std::string_view text() const { return {bytes.data(), bytes.size()}; }
  friend bool operator==(const Tag&, const Tag&) = default;
};

/// The fields after the tag of any section except strings.
struct SectionHead {
  std::uint64_t count = 0;
  std::uint64_t entry_bytes = 0;
};

struct Collectable {
  std::uint16_t kind = 0;
  std::uint32_t type_or_frame_index = 0;
  std::uint16_t size = 0;
  std::uint64_t unmanaged_size = 0;
  std::uint64_t refs_start = 0;
  std::uint32_t num_refs = 0;
};

struct Reference {
  std::uint8_t width = 0;  ///< the width byte
  std::uint8_t kind = 0;
  std::uint64_t index = 0;
  std::uint64_t target = 0;
};

struct TypeRow {
  std::uint64_t repr_name = 0;
  std::uint64_t type_name = 0;
};

struct FrameRow {
  std::uint64_t name = 0;
  std::uint64_t cuid = 0;
  std::uint64_t line = 0;
  std::uint64_t file = 0;
};

/// The index entry for one snapshot: the sizes of its sections in bytes, including heads.
struct IndexEntry {
  std::uint64_t collectables = 0;
  std::uint64_t references = 0;
  std::uint64_t middle = 0;      ///< the distance from the tag of the references to their second half
  std::uint64_t increments = 0;  ///< the size of the three sections with new rows
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// The last 32 bytes of a file: the sizes in bytes of the last three sections, and the number of snapshots in
/// the index.
struct Trailer {
  std::uint64_t strings = 0;
  std::uint64_t types = 0;
  std::uint64_t static_frames = 0;
  std::uint64_t snapshots = 0;
  friend bool operator==(const Trailer&, const Trailer&) = default;
};

/// Whether the bytes begin with the magic of version 2.
bool magic(core::ByteSpan bytes);
std::optional<Tag> tag(core::ByteSpan bytes);
/// The head after the tag of any section except strings.
std::optional<SectionHead> section_head(core::ByteSpan bytes);
/// The head after the tag of strings.
std::optional<std::uint64_t> strings_head(core::ByteSpan bytes);
/// The length in front of each string.
std::optional<std::uint64_t> string_length(core::ByteSpan bytes);
std::optional<Collectable> collectable(core::ByteSpan bytes);
std::optional<Reference> reference(core::ByteSpan bytes);
std::optional<TypeRow> type_row(core::ByteSpan bytes);
std::optional<FrameRow> frame_row(core::ByteSpan bytes);
std::optional<IndexEntry> index_entry(core::ByteSpan bytes);
std::optional<Trailer> trailer(core::ByteSpan bytes);

}  // namespace heapcheck::mvmheap::v2::grammar
