#include "formats/mvmheap/v2/version.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/index_reader.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

template <bool increments>
std::unique_ptr<DumpWriter> make_writer(core::ByteSink& out, const FileMeta&, const WriteOptions&) {
  return std::make_unique<Writer>(out, WriterOptions{.increments = increments});
}

constexpr std::array layouts{
    WrittenLayout{.suffix = "", .capacity = {}, .make_writer = make_writer<false>},
    WrittenLayout{
        .suffix = ":increments", .capacity = {.holds_table_growth = true}, .make_writer = make_writer<true>},
};

struct LayoutText {
  std::string letter;
  std::string words;
};

LayoutText describe(Layout layout) {
  switch (layout) {
    case Layout::increments:
      return {"A", "A (MoarVM 2017.09 to 2017.11: new rows after each snapshot, all rows at the end)"};
    case Layout::tables_at_end:
      return {"B", "B (MoarVM 2017.12 to 2019.07.1: all rows at the end)"};
    case Layout::uncounted:
      return {"C", "C (MoarVM since 2019.11: new rows after each snapshot, not counted in the index)"};
    case Layout::unknown:
      break;
  }
  return {"unknown", "unknown (the file is too short to tell)"};
}

std::vector<Fact> find_facts(const SectionContainer& container) {
  const LayoutText layout = describe(container.layout);
  return {{.key = "layout", .label = "layout", .value = layout.letter, .words = layout.words},
          {.key = "indexed",
           .label = "index",
           .value = container.index.has_value(),
           .words = container.index
                        ? fmt::format("of {}", core::counted(container.index->trailer.snapshots, "snapshot"))
                        : "none (the process ended early, or the file is truncated)"}};
}

FileBlock describe(const Section& section) {
  FileBlock row{
      .kind = std::string(tag_of(section.kind)),
      .span = section.span,
      .expanded = section.span.length,
      .entry_bytes = section.kind == SectionKind::references ? 0 : info_of(section.kind).entry_bytes,
      .count = section.count,
      .is_whole = section.whole};
  if (!section.is_last) row.part = section.part;
  return row;
}

}  // namespace

const Version version{.recognises = is_v2,
                      .make_reader = make_version_reader<FrontReader, SectionPart>,
                      .find_snapshot = find_by_index<IndexReader, SectionPart>,
                      .layouts = layouts};

DumpDescription describe(const FrontReader& reader) {
  const SectionContainer& container = reader.container();
  DumpDescription description{
      .byte_count = container.byte_count, .facts = find_facts(container), .blocks = {}};
  for (const Section& section : container.sections) description.blocks.push_back(describe(section));
  return description;
}

}  // namespace heapcheck::mvmheap::v2
