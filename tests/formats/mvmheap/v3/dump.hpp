// Helpers shared by the tests of version 3: the real sample, reading a complete file, and models made for
// tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/mvmheap_models.hpp"

namespace heapcheck::tests::v3 {

namespace format = mvmheap::v3;

struct Dump : ReadDump<format::BlockPart, format::BlockContainer> {
  mvmheap::FileMeta file_meta;
};

inline Bytes read_sample() { return read_corpus_bytes("mvmheap/v3/seed/moar-2022.12-nqp.mvmheap"); }

template <class AnyReader>
Dump read_all(AnyReader& reader, const FoundSink& sink) {
  Dump dump = read_parts<Dump>(reader, sink);
  dump.file_meta = reader.file_meta().value_or(mvmheap::FileMeta{});
  return dump;
}

/// Reads from front to back, through a source that returns `chunk` bytes at a time.
inline Dump read_front(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source);
  FoundSink sink;
  format::FrontReader reader(window, limits, sink);
  return read_all(reader, sink);
}

inline Dump read_toc(const Bytes& bytes, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(bytes, chunk);
  FoundSink sink;
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

/// Whether two parts have the same content, even at different offsets in the file.
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

/// A sound part with a chain of three collectables: the root, an object and a frame. It includes the rows of
/// `tables` so far.
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

}  // namespace heapcheck::tests::v3
