// heapcheck info on MoarVM dumps of version 1.
#include "cli/info_mvmheap.hpp"
#include "formats/mvmheap/v1/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace v1 = mvmheap::v1;

MvmheapInfo::Block describe_line(const v1::Line& line) {
  MvmheapInfo::Block row;
  row.kind = v1::info_of(line.kind).name;
  if (!v1::is_table(line.kind)) row.part = line.part;
  row.span = line.span;
  row.expanded = line.span.length;
  row.count = line.count;
  row.is_whole = line.whole;
  return row;
}

}  // namespace

std::unique_ptr<Info> read_mvmheap_v1_info(core::Window& window, const Limits& limits) {
  auto made = std::make_unique<MvmheapInfo>();
  MvmheapInfo& info = *made;
  info.format = Format::mvmheap_v1;
  ErrorCounter counter(info);
  v1::FrontReader reader(window, limits, counter);
  v1::LinePart part;
  while (reader.read_part(part)) {
    if (part.has_snapshot) info.snapshots.push_back(describe_snapshot(part, part.has_whole_graph));
  }
  info.byte_count = reader.container().byte_count;
  info.tables = reader.tables().counts();
  for (const v1::Line& line : reader.container().lines) info.blocks.push_back(describe_line(line));
  return made;
}

}  // namespace heapcheck::cli
