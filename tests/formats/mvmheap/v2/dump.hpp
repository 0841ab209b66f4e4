// Helpers shared by the tests of version 2: the real samples, reading a complete file, and models made for
// tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/mvmheap_models.hpp"

namespace heapcheck::tests::v2 {

namespace format = mvmheap::v2;
using format::SectionKind;

struct Dump : ReadDump<format::SectionPart, format::SectionContainer> {
  /// The first section of a kind, either of a snapshot or at the end.
  [[nodiscard]] const format::Section& section(SectionKind kind, std::uint64_t part,
                                               bool is_last = false) const {
    const auto found = std::ranges::find_if(container.sections, [&](const format::Section& section) {
      return section.kind == kind && section.part == part && section.is_last == is_last;
    });
    REQUIRE(found != container.sections.end());
    return *found;
  }
};

inline Bytes read_sample(const std::string& name) {
  return read_corpus_bytes("mvmheap/v2/seed/" + name + ".mvmheap");
}

/// Reads from front to back, through a source that returns `chunk` bytes at a time.
inline Dump read_front(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source);
  FoundSink sink;
  format::FrontReader reader(window, limits, sink);
  return read_parts<Dump>(reader, sink);
}

inline Bytes write_all(const Dump& dump, format::WriterOptions options = {}) {
  core::MemorySink out;
  format::Writer writer(out, options);
  for (const format::SectionPart& part : dump.parts) REQUIRE(writer.write_part(part, dump.tables));
  REQUIRE(writer.finish(dump.tables));
  return out.bytes();
}

/// Whether two parts have the same content, even at different offsets in the file.
inline bool is_same_part(const format::SectionPart& a, const format::SectionPart& b) {
  return a.index == b.index && a.has_snapshot == b.has_snapshot && a.snapshot == b.snapshot &&
         a.has_whole_graph == b.has_whole_graph && a.before == b.before && a.after == b.after &&
         a.states == b.states && a.strings_known == b.strings_known && a.types_known == b.types_known &&
         a.frames_known == b.frames_known;
}

inline bool is_same_model(const Dump& a, const Dump& b) {
  return a.tables == b.tables && std::ranges::equal(a.parts, b.parts, is_same_part);
}

/// A sound part with a chain of three collectables: the root, an object and a frame. It includes the rows of
/// `tables` so far, and its references have all widths.
inline format::SectionPart make_part(std::uint64_t index, const mvmheap::Tables& tables) {
  using mvmheap::CollectableKind;
  format::SectionPart part;
  part.reset(index);
  part.has_snapshot = true;
  part.has_whole_graph = true;
  part.states[0] = part.states[1] = format::SectionState::whole;
  part.after = tables.counts();
  add_collectable(part.snapshot, CollectableKind::root, 0, 0, std::uint64_t{255} << format::kind_bits | 1);
  add_collectable(part.snapshot, CollectableKind::object, part.after.types - 1, 24,
                  std::uint64_t{65535} << format::kind_bits | 1);
  add_collectable(part.snapshot, CollectableKind::frame, part.after.static_frames - 1, 80,
                  std::uint64_t{UINT32_MAX} << format::kind_bits | 1);
  return part;
}

}  // namespace heapcheck::tests::v2
