#include "formats/mvmheap/v3/version.hpp"

#include <array>

#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta& meta,
                                        const WriteOptions& options) {
  return std::make_unique<Writer>(out, meta, WriterOptions{.level = options.level});
}

constexpr std::array layouts{WrittenLayout{
    .suffix = "",
    .capacity = {.holds_metas = true, .holds_table_growth = true, .holds_closing_rows = true},
    .make_writer = make_writer,
}};

std::vector<Fact> find_facts(const FrontReader& reader) {
  std::vector<Fact> facts;
  if (const auto& meta = reader.file_meta()) {
    facts.push_back({.key = "subversion", .label = "subversion", .value = meta->subversion});
    facts.push_back({.key = "start_time",
                     .label = "start time",
                     .value = meta->start_time,
                     .words = std::to_string(meta->start_time) + " us (monotonic clock)"});
    if (meta->pid) facts.push_back({.key = "pid", .label = "process", .value = *meta->pid});
  }
  const bool is_closed = reader.is_finished();
  facts.push_back(
      {.key = "closed",
       .label = "run",
       .value = is_closed,
       .words = is_closed ? "closed" : "not closed (the process ended early, or the file is truncated)"});
  return facts;
}

FileBlock describe(const Block& block) {
  FileBlock row{.kind = block.kind == BlockKind::unknown ? "?" : std::string(name_of(block.kind)),
                .span = block.span,
                .expanded = block.expanded != 0 ? block.expanded : block.content.length,
                .entry_bytes = block.entry_bytes,
                .count = block.count,
                .is_whole = block.whole};
  if (block.kind != BlockKind::filemeta) row.part = block.part;
  return row;
}

}  // namespace

const Version version{.recognises = is_v3,
                      .make_reader = make_version_reader<FrontReader, BlockPart>,
                      .find_snapshot = find_by_index<TocReader, BlockPart>,
                      .layouts = layouts};

DumpDescription describe(const FrontReader& reader) {
  DumpDescription description{
      .byte_count = reader.container().byte_count, .facts = find_facts(reader), .blocks = {}};
  for (const Block& block : reader.container().blocks) description.blocks.push_back(describe(block));
  return description;
}

}  // namespace heapcheck::mvmheap::v3
