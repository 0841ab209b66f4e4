// A part of a version 2 file: a snapshot, with the new rows of the shared tables that follow it in layouts A
// and C. If the end of a file changes the tables, a final part without a snapshot contains the change.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/mvmheap/part.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::mvmheap::v2 {

enum class SectionState : std::uint8_t { absent, whole, broken };

/// The offsets of references, which differ in size: the offset of every 256th reference and, on request, that
/// of one more reference.
struct ReferencePlaces {
  static constexpr std::uint64_t stride = 256;
  std::vector<std::uint64_t> offsets;
  std::uint64_t asked = UINT64_MAX;  ///< the index of the requested reference
  std::uint64_t answer = 0;          ///< its offset
};

struct SectionPart : mvmheap::Part {
  std::array<SectionState, section_kind_count> states{};
  std::array<std::size_t, section_kind_count>
      sections{};  ///< indices into SectionContainer::sections, or empty if absent
  ReferencePlaces places;

  [[nodiscard]] SectionState state(SectionKind kind) const { return states[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] bool is_whole(SectionKind kind) const { return state(kind) == SectionState::whole; }
  [[nodiscard]] std::size_t section(SectionKind kind) const {
    return sections[static_cast<std::size_t>(kind)];
  }

  /// Empties the part for reuse but keeps the memory of its columns.
  void reset(std::uint64_t new_index);
};

/// The position in the file of reference `index` of the part. `end` is the offset after the last reference.
/// If references are wider than necessary, the place may cover up to 256 of them.
Span find_reference(const SectionPart& part, std::uint64_t index, std::uint64_t end);

}  // namespace heapcheck::mvmheap::v2
