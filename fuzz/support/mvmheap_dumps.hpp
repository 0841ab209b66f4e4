// Shared by the targets for one version of MoarVM dumps: reading a dump with any reader of that version, and
// checking properties that all versions share. Each target compares the parts that exist only in its version.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "formats/mvmheap/model.hpp"
#include "fuzz/support/check.hpp"
#include "fuzz/support/windows.hpp"

namespace heapcheck::fuzz {

template <class Reader>
using ContainerOf = std::remove_cvref_t<decltype(std::declval<Reader&>().container())>;

template <class Reader, class Part>
Part part_read_by(bool (Reader::*)(Part&));
template <class Reader>
using PartOf = decltype(part_read_by(&Reader::read_part));

/// Everything that a reader returns for a dump.
template <class Container, class Part>
struct Dump {
  std::vector<Part> parts;  ///< the first parts, up to the number that is kept
  Container container;
  mvmheap::Tables tables;
};
template <class Reader>
using DumpOf = Dump<ContainerOf<Reader>, PartOf<Reader>>;

/// Reads to the end and keeps at most `parts_kept` parts.
template <class Reader>
DumpOf<Reader> read_dump(Reader& reader, std::size_t parts_kept) {
  DumpOf<Reader> dump;
  for (PartOf<Reader> part; reader.read_part(part);) {
    if (dump.parts.size() < parts_kept) dump.parts.push_back(part);
  }
  dump.container = reader.container();
  dump.tables = reader.tables();
  return dump;
}

/// Reads everything in `bytes`, with the default limits, and discards the findings.
template <class Reader>
DumpOf<Reader> read_bytes(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  Reader reader(window, {}, silent);
  return read_dump(reader, SIZE_MAX);
}

/// The result of reading some bytes.
template <class Container>
struct Described {
  Container container;
  bool has_findings = false;
};

/// Property: reading ends, and every reported place is inside the input. `check_part` receives each part and
/// the reader.
template <class Reader, class CheckPart>
Described<ContainerOf<Reader>> require_described(core::ByteSpan bytes, CheckPart&& check_part) {
  core::MemorySource source(bytes);
  core::Window window(source);
  validation::Collector collector(1000);
  Reader reader(window, make_limits(), collector);
  PartOf<Reader> part;
  while (reader.read_part(part)) check_part(part, reader);
  require(!reader.read_part(part), "no part follows the last one");
  require(reader.container().byte_count <= bytes.size(), "the byte count is at most the size of the input");
  const auto findings = collector.take_findings();
  require_places_inside(findings, bytes.size());
  return {reader.container(), !findings.empty() || !collector.more().empty()};
}

/// Property: the findings and tables do not depend on how the bytes arrive. `require_same` compares the rest
/// of two dumps.
template <class Reader, class RequireSame>
void require_dump_windows_agree(core::ByteSpan bytes, SmallWindows small_windows,
                                RequireSame&& require_same) {
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    Reader reader(window, make_limits(), sink);
    return read_dump(reader, 20);
  };
  require_windows_agree(bytes, small_windows, read, [&](const auto& whole, const auto& other) {
    require(whole.tables == other.tables, "the shared tables are the same");
    require_same(whole, other);
  });
}

/// Property: reading a valid dump by its index has the same result as reading it from front to back, and an
/// invalid dump does not crash the reader. `require_same` receives both readers after reading, and the dump
/// that each has read.
template <class FrontReader, class TableReader, class RequireSame>
void require_ways_agree(core::ByteSpan bytes, RequireSame&& require_same) {
  core::MemorySource source(bytes);
  validation::Collector collector(100);
  TableReader by_table(source, make_limits(), collector);
  const auto table_dump = read_dump(by_table, 20);
  require_places_inside(collector.take_findings(), bytes.size());
  if (!is_valid(bytes, make_limits())) return;
  core::MemorySource same_source(bytes);
  core::Window window(same_source);
  FrontReader from_front(window, make_limits(), collector);
  const auto front_dump = read_dump(from_front, 20);
  require(by_table.is_complete(), "a valid file can be read completely by its index");
  require(table_dump.tables == front_dump.tables, "both ways of reading produce the same shared tables");
  require_same(by_table, from_front, table_dump, front_dump);
}

}  // namespace heapcheck::fuzz
