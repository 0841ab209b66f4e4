// What the tests of version 3 share: the real sample, reading a file whole, made models.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/mvmheap/derive.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"
#include "tests/support/catch.hpp"

namespace heapcheck::tests::v3 {

namespace format = mvmheap::v3;
using Bytes = std::vector<std::uint8_t>;

/// Keeps the ids of what was found.
class Ids final : public core::FindingSink {
 public:
  void report(Finding finding) override { ids.emplace_back(finding.rule->id); }
  void skip(Skip) override {}
  void report_more(const Rule& rule, std::uint64_t) override { ids.emplace_back(rule.id); }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 20; }

  std::vector<std::string> ids;
};

/// All that reading a file gives.
struct Dump {
  std::vector<format::BlockPart> parts;
  mvmheap::Tables tables;
  mvmheap::FileMeta file_meta;
  format::BlockContainer container;
  std::vector<std::string> ids;
};

inline Bytes read_sample() {
  const std::string path = HEAPCHECK_SOURCE_DIR "/corpus/mvmheap/v3/seed/moar-2022.12-nqp.mvmheap";
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class AnyReader>
Dump read_all(AnyReader& reader, Ids& sink) {
  Dump dump;
  format::BlockPart part;
  while (reader.read_part(part)) dump.parts.push_back(part);
  dump.tables = reader.tables();
  dump.file_meta = reader.file_meta().value_or(mvmheap::FileMeta{});
  dump.container = reader.container();
  dump.ids = sink.ids;
  return dump;
}

/// Reads from front to back, through a source that gives `chunk` bytes at a time.
inline Dump read_front(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source);
  Ids sink;
  format::FrontReader reader(window, limits, sink);
  return read_all(reader, sink);
}

inline Dump read_toc(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  Ids sink;
  format::TocReader reader(source, limits, sink);
  return read_all(reader, sink);
}

inline Bytes write_all(const Dump& dump, format::WriterOptions options = {}) {
  core::MemorySink out;
  format::Writer writer(out, dump.file_meta, options);
  for (const format::BlockPart& part : dump.parts) REQUIRE(writer.write_part(part, dump.tables));
  REQUIRE(writer.finish(dump.tables));
  return out.bytes();
}

/// Whether two parts mean the same, wherever they stood.
inline bool is_same_part(const format::BlockPart& a, const format::BlockPart& b) {
  return a.index == b.index && a.has_snapshot == b.has_snapshot && a.snapshot == b.snapshot &&
         a.meta == b.meta && a.highscores == b.highscores && a.before == b.before && a.after == b.after &&
         a.states == b.states && a.strings_known == b.strings_known && a.types_known == b.types_known &&
         a.frames_known == b.frames_known;
}

inline bool is_same_model(const Dump& a, const Dump& b) {
  return a.file_meta == b.file_meta && a.tables == b.tables &&
         std::ranges::equal(a.parts, b.parts, is_same_part);
}

/// Appends a collectable with one reference, to the next of three.
inline void add_collectable(mvmheap::Snapshot& snapshot, mvmheap::CollectableKind kind, std::uint64_t index,
                            std::uint64_t byte_count) {
  auto& collectables = snapshot.collectables;
  collectables.kind.push_back(static_cast<std::uint64_t>(kind));
  collectables.type_or_frame_index.push_back(index);
  collectables.size.push_back(byte_count);
  collectables.unmanaged_size.push_back(0);
  collectables.num_refs.push_back(1);
  collectables.refs_start.push_back(snapshot.references.count());
  snapshot.references.description.push_back(0);
  snapshot.references.target.push_back(collectables.count() % 3);
}

/// A sound part of three collectables in a chain, an object and a frame behind the root, that knows
/// the rows up to now.
inline format::BlockPart make_part(std::uint64_t index, const mvmheap::Tables& tables,
                                   const mvmheap::FileMeta& file_meta) {
  using mvmheap::CollectableKind;
  format::BlockPart part;
  part.reset(index);
  part.has_snapshot = true;
  part.after = tables.counts();
  add_collectable(part.snapshot, CollectableKind::root, 0, 0);
  add_collectable(part.snapshot, CollectableKind::object, part.after.types - 1, 24);
  add_collectable(part.snapshot, CollectableKind::frame, part.after.static_frames - 1, 80);
  const auto summary = mvmheap::summarise(part.snapshot.collectables, part.after);
  part.meta = mvmheap::make_snapshot_meta(part.snapshot, summary);
  part.highscores = mvmheap::make_highscores(summary, file_meta, {}).value();
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

}  // namespace heapcheck::tests::v3
