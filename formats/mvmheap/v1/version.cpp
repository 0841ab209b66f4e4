#include "formats/mvmheap/v1/version.hpp"

#include <array>

#include "formats/mvmheap/v1/names.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta&, const WriteOptions&) {
  return std::make_unique<Writer>(out);
}

constexpr std::array layouts{
    WrittenLayout{.suffix = "",
                  .capacity = {.holds_missing_targets = true, .holds_name = can_hold},
                  .make_writer = make_writer}};

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

const Version version{.is_text = true,
                      .recognises = is_v1,
                      .make_reader = make_version_reader<FrontReader, LinePart>,
                      .layouts = layouts};

DumpDescription describe(const FrontReader& reader) {
  DumpDescription description{.byte_count = reader.container().byte_count, .facts = {}, .blocks = {}};
  for (const Line& line : reader.container().lines) description.blocks.push_back(describe(line));
  return description;
}

}  // namespace heapcheck::mvmheap::v1
