// heapcheck info on MoarVM dumps of version 2.
#include <fmt/format.h>

#include "cli/info_mvmheap.hpp"
#include "formats/mvmheap/v2/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace v2 = mvmheap::v2;

struct LayoutText {
  std::string letter;
  std::string words;
};

LayoutText describe(v2::Layout layout) {
  switch (layout) {
    case v2::Layout::increments:
      return {"A", "A (MoarVM 2017.09 to 2017.11: new rows behind each snapshot, all rows at the end)"};
    case v2::Layout::tables_behind:
      return {"B", "B (MoarVM 2017.12 to 2019.08: all rows at the end)"};
    case v2::Layout::uncounted:
      return {"C", "C (MoarVM since 2019.11: new rows behind each snapshot, not counted by the index)"};
    case v2::Layout::unknown:
      break;
  }
  return {"unknown", "unknown (the file is cut before it can be told)"};
}

void add_facts(const v2::SectionContainer& container, MvmheapInfo& info) {
  const LayoutText layout = describe(container.layout);
  info.facts.push_back({"layout", "layout", layout.letter, layout.words});
  info.facts.push_back({"indexed", "index", container.index.has_value(),
                        container.index ? fmt::format("of {} snapshots", container.index->trailer.snapshots)
                                        : "none (the process ended before, or the file is cut)"});
}

MvmheapInfo::Block describe_section(const v2::Section& section) {
  MvmheapInfo::Block row;
  row.kind = v2::tag_of(section.kind);
  if (!section.is_last) row.part = section.part;
  row.span = section.span;
  row.expanded = section.span.length;
  row.entry_bytes = section.kind == v2::SectionKind::references ? 0 : v2::info_of(section.kind).entry_bytes;
  row.count = section.count;
  row.is_whole = section.whole;
  return row;
}

}  // namespace

std::unique_ptr<Info> read_mvmheap_v2_info(core::Window& window, const Limits& limits) {
  auto made = std::make_unique<MvmheapInfo>();
  MvmheapInfo& info = *made;
  info.format = Format::mvmheap_v2;
  ErrorCounter counter(info);
  v2::FrontReader reader(window, limits, counter);
  v2::SectionPart part;
  while (reader.read_part(part)) {
    if (part.has_snapshot) info.snapshots.push_back(describe_snapshot(part, part.has_whole_graph));
  }
  const v2::SectionContainer& container = reader.container();
  add_facts(container, info);
  info.byte_count = container.byte_count;
  info.tables = reader.tables().counts();
  for (const v2::Section& section : container.sections) info.blocks.push_back(describe_section(section));
  return made;
}

}  // namespace heapcheck::cli
