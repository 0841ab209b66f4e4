// Describes the content of a version 1 file in the form shared by all versions.
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/version.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

FileBlock describe(const Line& line) {
  FileBlock row{.kind = std::string(info_of(line.kind).name),
                .span = line.span,
                .expanded = line.span.length,
                .count = line.count,
                .is_whole = line.whole};
  if (!is_table(line.kind)) row.part = line.part;
  return row;
}

}  // namespace

DumpDescription describe(const FrontReader& reader) {
  DumpDescription description{.byte_count = reader.container().byte_count, .facts = {}, .blocks = {}};
  for (const Line& line : reader.container().lines) description.blocks.push_back(describe(line));
  return description;
}

}  // namespace heapcheck::mvmheap::v1
