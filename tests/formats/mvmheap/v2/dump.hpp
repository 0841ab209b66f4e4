// What the tests of version 2 share: the real samples, reading a file whole, made models.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"
#include "tests/support/catch.hpp"

namespace heapcheck::tests::v2 {

namespace format = mvmheap::v2;
using Bytes = std::vector<std::uint8_t>;
using format::SectionKind;

/// Keeps what was found.
class Findings final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    ids.emplace_back(finding.rule->id);
    places.push_back(finding.location.file);
  }
  void skip(Skip) override {}
  void report_more(const Rule& rule, std::uint64_t) override { ids.emplace_back(rule.id); }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 20; }

  std::vector<std::string> ids;
  std::vector<Span> places;
};

/// All that reading a file gives.
struct Dump {
  std::vector<format::SectionPart> parts;
  mvmheap::Tables tables;
  format::SectionContainer container;
  std::vector<std::string> ids;
  std::vector<Span> places;

  /// The first section of a kind, of the snapshot or of the end.
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
  const std::string path = HEAPCHECK_SOURCE_DIR "/corpus/mvmheap/v2/seed/" + name + ".mvmheap";
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class AnyReader>
Dump read_all(AnyReader& reader, Findings& sink) {
  Dump dump;
  format::SectionPart part;
  while (reader.read_part(part)) dump.parts.push_back(part);
  dump.tables = reader.tables();
  dump.container = reader.container();
  dump.ids = sink.ids;
  dump.places = sink.places;
  return dump;
}

/// Reads from front to back, through a source that gives `chunk` bytes at a time.
inline Dump read_front(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source);
  Findings sink;
  format::FrontReader reader(window, limits, sink);
  return read_all(reader, sink);
}

inline Bytes write_all(const Dump& dump, format::WriterOptions options = {}) {
  core::MemorySink out;
  format::Writer writer(out, options);
  for (const format::SectionPart& part : dump.parts) REQUIRE(writer.write_part(part, dump.tables));
  REQUIRE(writer.finish(dump.tables));
  return out.bytes();
}

/// Whether two parts mean the same, wherever they stood.
inline bool is_same_part(const format::SectionPart& a, const format::SectionPart& b) {
  return a.index == b.index && a.has_snapshot == b.has_snapshot && a.snapshot == b.snapshot &&
         a.has_whole_graph == b.has_whole_graph && a.before == b.before && a.after == b.after &&
         a.states == b.states && a.strings_known == b.strings_known && a.types_known == b.types_known &&
         a.frames_known == b.frames_known;
}

inline bool is_same_model(const Dump& a, const Dump& b) {
  return a.tables == b.tables && std::ranges::equal(a.parts, b.parts, is_same_part);
}

/// Appends a collectable with one reference, to the next of three.
inline void add_collectable(mvmheap::Snapshot& snapshot, mvmheap::CollectableKind kind, std::uint64_t index,
                            std::uint64_t byte_count, std::uint64_t reference_index = 0) {
  auto& collectables = snapshot.collectables;
  collectables.kind.push_back(static_cast<std::uint64_t>(kind));
  collectables.type_or_frame_index.push_back(index);
  collectables.size.push_back(byte_count);
  collectables.unmanaged_size.push_back(0);
  collectables.num_refs.push_back(1);
  collectables.refs_start.push_back(snapshot.references.count());
  snapshot.references.description.push_back(reference_index << format::kind_bits | 1);
  snapshot.references.target.push_back(collectables.count() % 3);
}

/// A sound part of three collectables in a chain, an object and a frame behind the root, that knows
/// the rows up to now. Its references have all widths.
inline format::SectionPart make_part(std::uint64_t index, const mvmheap::Tables& tables) {
  using mvmheap::CollectableKind;
  format::SectionPart part;
  part.reset(index);
  part.has_snapshot = true;
  part.has_whole_graph = true;
  part.states[0] = part.states[1] = format::SectionState::whole;
  part.after = tables.counts();
  add_collectable(part.snapshot, CollectableKind::root, 0, 0, 255);
  add_collectable(part.snapshot, CollectableKind::object, part.after.types - 1, 24, 65535);
  add_collectable(part.snapshot, CollectableKind::frame, part.after.static_frames - 1, 80, UINT32_MAX);
  return part;
}

/// Adds two strings, a type and a static frame of these names.
inline void add_names(mvmheap::Tables& tables, const std::string& suffix) {
  const std::uint64_t first = tables.strings.count();
  tables.strings.add("P6opaque" + suffix);
  tables.strings.add("Name" + suffix);
  tables.types.repr_name.push_back(first);
  tables.types.type_name.push_back(first + 1);
  tables.static_frames.name.push_back(first);
  tables.static_frames.cuid.push_back(first + 1);
  tables.static_frames.line.push_back(7);
  tables.static_frames.file.push_back(first);
}

}  // namespace heapcheck::tests::v2
