// Recognises the head of a section in a version 2 file, even if the head is damaged, and the index, which has
// no tag. The search for the next section is not misled by a tag that occurs by chance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::mvmheap::v2 {

/// The largest number of bytes that find_section() examines.
inline constexpr std::size_t section_look_ahead = 64;

/// The section whose head is at the front of `bytes`. It is recognised by its tag together with its entry
/// size or, for strings, with either the length of a string or the head of types.
std::optional<SectionKind> find_section(core::ByteSpan bytes);

/// The section at the front of `bytes`, even if its tag or its entry size (for strings, only the tag) is
/// damaged.
std::optional<SectionKind> guess_section(core::ByteSpan bytes);

/// Whether `bytes` begin with several strings without a NUL, or with strings and a section.
bool is_string_chain(core::ByteSpan bytes);

/// The first position below `places` in `bytes` where find_section() finds a section.
std::optional<std::size_t> find_section_place(core::ByteSpan bytes, std::size_t places);

/// Moves `window` to the next section that find_section() finds or, if there is none, to the end. Returns
/// whether there is a section.
bool find_next_section(core::Window& window);

/// Whether `bytes` begin with the index, which must start with the sizes of snapshots in `container` or with
/// a trailer that matches the sections in `container`.
bool is_known_index(core::ByteSpan bytes, const SectionContainer& container);
/// Like is_known_index(), but also accepts a damaged index with a correct end. `is_rest` states whether
/// `bytes` are the rest of the file.
bool is_index(core::ByteSpan bytes, bool is_rest, const SectionContainer& container);

/// The first position below `places` in `bytes` where the sizes of the first snapshot begin. An index starts
/// with these sizes.
std::optional<std::size_t> find_index_place(core::ByteSpan bytes, std::size_t places,
                                            const SectionContainer& container);

/// Whether `bytes`, which are the rest of the file, are the beginning of a tag.
bool is_cut_tag(core::ByteSpan bytes);
/// Whether `bytes`, which are the rest of the file, are the beginning of a tag or of the index.
bool is_cut_off(core::ByteSpan bytes, const SectionContainer& container);

/// The bytes at the front of the window, and whether the input ends with them.
struct Ahead {
  core::ByteSpan bytes;
  bool is_rest = false;
};
inline Ahead look_ahead(core::Window& window) {
  // A larger window could show more, but the result must not depend on the size of the window.
  const std::size_t reach = std::min(window.capacity(), core::Window::default_capacity);
  const core::ByteSpan bytes = window.look(reach);
  return {bytes, bytes.size() < reach};
}

}  // namespace heapcheck::mvmheap::v2
