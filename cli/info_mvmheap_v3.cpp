// heapcheck info on MoarVM dumps of version 3.
#include "cli/info_mvmheap.hpp"
#include "formats/mvmheap/v3/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace v3 = mvmheap::v3;

void add_facts(const v3::FrontReader& reader, MvmheapInfo& info) {
  if (const auto& meta = reader.file_meta()) {
    info.facts.push_back({"subversion", "subversion", meta->subversion});
    info.facts.push_back({"start_time", "start time", meta->start_time,
                          std::to_string(meta->start_time) + " us (monotonic clock)"});
    if (meta->pid) info.facts.push_back({"pid", "process", *meta->pid});
  }
  info.facts.push_back(
      {"closed", "run", reader.is_finished(),
       reader.is_finished() ? "closed" : "not closed (the process ended before, or the file is cut)"});
}

MvmheapInfo::Block describe_block(const v3::Block& block) {
  MvmheapInfo::Block row;
  row.kind = block.kind == v3::BlockKind::unknown ? "?" : v3::name_of(block.kind);
  if (block.kind != v3::BlockKind::filemeta) row.part = block.part;
  row.span = block.span;
  row.expanded = block.expanded != 0 ? block.expanded : block.content.length;
  row.entry_bytes = block.entry_bytes;
  row.count = block.count;
  row.is_whole = block.whole;
  return row;
}

}  // namespace

std::unique_ptr<Info> read_mvmheap_v3_info(core::Window& window, const Limits& limits) {
  auto made = std::make_unique<MvmheapInfo>();
  MvmheapInfo& info = *made;
  info.format = Format::mvmheap_v3;
  ErrorCounter counter(info);
  v3::FrontReader reader(window, limits, counter);
  v3::BlockPart part;
  while (reader.read_part(part)) {
    if (part.has_snapshot) info.snapshots.push_back(describe_snapshot(part, part.is_whole_snapshot()));
  }
  add_facts(reader, info);
  info.byte_count = reader.container().byte_count;
  info.tables = reader.tables().counts();
  for (const v3::Block& block : reader.container().blocks) info.blocks.push_back(describe_block(block));
  return made;
}

}  // namespace heapcheck::cli
