// Tells what stands at a place in a version 2 file: the head of a section, even a damaged one, or the
// index, which has no tag. A search for the next section is not misled by a tag that happens to occur.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::mvmheap::v2 {

/// How many bytes find_section() wants to see, if there are as many.
inline constexpr std::size_t section_look_ahead = 64;

/// The section whose head stands at the front of `bytes`: tag and entry size, or the tag and a length of
/// a string or the head of types.
std::optional<SectionKind> find_section(core::ByteSpan bytes);

/// The section at the front of `bytes` even where one of tag and entry size is damaged, or the tag of
/// strings.
std::optional<SectionKind> guess_section(core::ByteSpan bytes);

/// Whether a few strings without NUL follow each other at the front of `bytes`, or strings and a section.
bool is_string_chain(core::ByteSpan bytes);

/// The first place below `places` in `bytes` where find_section() finds one.
std::optional<std::size_t> find_section_place(core::ByteSpan bytes, std::size_t places);

/// Moves `window` to the next section that find_section() finds, or to its end; says whether there is one.
bool find_next_section(core::Window& window);

/// Whether the index stands at the front of `bytes`: sizes of snapshots that `container` knows, or a trailer
/// of its sections.
bool is_known_index(core::ByteSpan bytes, const SectionContainer& container);
/// The same, or even a damaged one that ends as it must; `is_rest` says whether `bytes` are the rest of the
/// file.
bool is_index(core::ByteSpan bytes, bool is_rest, const SectionContainer& container);

/// The first place below `places` in `bytes` where the sizes of the first snapshot stand, as an index starts.
std::optional<std::size_t> find_index_place(core::ByteSpan bytes, std::size_t places,
                                            const SectionContainer& container);

/// Whether `bytes`, the rest of the file, are the first ones of a tag.
bool is_cut_tag(core::ByteSpan bytes);
/// Whether `bytes`, the rest of the file, are the first ones of a tag or of the index.
bool is_cut_off(core::ByteSpan bytes, const SectionContainer& container);

/// What stands at the window's front: its bytes, and whether they are all that is left.
struct Ahead {
  core::ByteSpan bytes;
  bool is_rest = false;
};
inline Ahead look_ahead(core::Window& window) {
  // Not all that a larger window could show: what is found must not depend on it.
  const std::size_t reach = std::min(window.capacity(), core::Window::default_capacity);
  const core::ByteSpan bytes = window.look(reach);
  return {bytes, bytes.size() < reach};
}

}  // namespace heapcheck::mvmheap::v2
