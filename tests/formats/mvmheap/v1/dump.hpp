// Helpers shared by the tests of version 1: the real samples, reading a complete file, and models made for
// tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/mvmheap_models.hpp"

namespace heapcheck::tests::v1 {

namespace format = mvmheap::v1;

using Dump = ReadDump<format::LinePart, format::LineContainer>;

inline const std::vector<std::string> samples{"moar-2016.04-quirky-names.txt", "moar-2016.04-small.txt",
                                              "moar-2016.04-zero-snapshots.txt", "moar-2017.08-small.txt"};

inline std::string read_sample(const std::string& name) { return read_corpus("mvmheap/v1/seed/" + name); }

/// Reads from front to back, through a source that returns `chunk` bytes at a time.
inline Dump read_all(std::string_view text, std::size_t chunk = SIZE_MAX, const Limits& limits = {}) {
  core::MemorySource source(core::as_bytes(text), chunk);
  core::Window window(source);
  FoundSink sink;
  format::FrontReader reader(window, limits, sink);
  return read_parts<Dump>(reader, sink);
}

inline std::string write_all(const Dump& dump) {
  core::MemorySink out;
  format::Writer writer(out);
  for (const format::LinePart& part : dump.parts) REQUIRE(writer.write_part(part, dump.tables));
  REQUIRE(writer.finish(dump.tables));
  return std::string(core::as_text(out.bytes()));
}

/// Whether two parts have the same content, even at different offsets in the file.
inline bool is_same_part(const format::LinePart& a, const format::LinePart& b) {
  return a.index == b.index && a.has_snapshot == b.has_snapshot && a.has_whole_graph == b.has_whole_graph &&
         a.snapshot == b.snapshot && a.before == b.before && a.after == b.after &&
         a.strings_known == b.strings_known && a.types_known == b.types_known &&
         a.frames_known == b.frames_known;
}

inline bool is_same_model(const Dump& a, const Dump& b) {
  return a.tables == b.tables && std::ranges::equal(a.parts, b.parts, is_same_part);
}

/// Tables with these names, one type and one static frame.
inline mvmheap::Tables make_tables(const std::vector<std::string>& names) {
  mvmheap::Tables tables;
  for (const std::string& name : names) tables.strings.add(name);
  add_rows(tables, 0, names.size() - 1);
  return tables;
}

/// A snapshot with a chain of three collectables: the root, an object of the first type, and a frame.
inline format::LinePart make_part(std::uint64_t index, const mvmheap::Tables& tables) {
  format::LinePart part;
  part.index = index;
  part.has_snapshot = true;
  part.has_whole_graph = true;
  part.before = index == 0 ? mvmheap::TableCounts{} : tables.counts();
  part.after = tables.counts();
  auto& collectables = part.snapshot.collectables;
  for (std::uint64_t i = 0; i < 3; ++i) {
    collectables.kind.push_back(std::array<std::uint64_t, 3>{9, 1, 4}[i]);
    collectables.type_or_frame_index.push_back(0);
    collectables.size.push_back(i == 0 ? 0 : 24);
    collectables.unmanaged_size.push_back(i == 0 ? 0 : 123456789012345);
    collectables.refs_start.push_back(i == 1 ? 1 : 0);
    collectables.num_refs.push_back(i == 2 ? 0 : 1);
  }
  part.snapshot.references.description.push_back(0);
  part.snapshot.references.description.push_back(std::uint64_t{1} << 40);
  part.snapshot.references.target.push_back(1);
  part.snapshot.references.target.push_back(2);
  return part;
}

}  // namespace heapcheck::tests::v1
