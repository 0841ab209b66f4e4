// The summary of a V8 heap snapshot or timeline.
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"

namespace heapcheck::analyze {
namespace {

namespace snapshot = v8::heapsnapshot;
using snapshot::Section;

/// The version of V8 that wrote the snapshot, as precisely as the snapshot's schema allows.
std::string_view guess_version(const snapshot::Snapshot& heap) {
  const auto* types = heap.schema.find_type_names(Section::nodes, "type");
  const auto has = [&](Section section) { return heap.schema.fields[index_of(section)].has_value(); };
  const std::size_t type_count = types == nullptr ? 0 : types->size();
  const bool has_detachedness = heap.schema.find_field(Section::nodes, "detachedness").has_value();
  if (has(Section::scopes)) return "V8 14 or later, as in Chrome 156";
  if (heap.header.extra_native_bytes) return "V8 13 or later, as in Node.js 24";
  if (type_count == 16) return "V8 11.3, as in Node.js 20";
  if (type_count == 15) return "V8 12, as in Chrome 120 and Node.js 22";
  if (has_detachedness) return "V8 9 or 10, as in Node.js 16 and 18";
  if (has(Section::locations)) return "V8 7 or 8, as in Node.js 12 and 14";
  return "V8 6 or earlier, as in Node.js 10 and Chrome 64";
}

/// The program that wrote the snapshot. Engines other than V8 are recognised by their first string and their
/// lack of trace fields.
std::string_view guess_producer(const snapshot::Snapshot& heap) {
  const snapshot::StringTable& strings = heap.strings.table;
  if (!heap.schema.is_sound || !heap.strings.is_whole()) return {};
  if (strings.count() == 0 || strings[0] != "<dummy>") return "an engine other than V8";
  return guess_version(heap);
}

FileBlock describe(const snapshot::Snapshot& heap, Section section) {
  FileBlock row{.kind = std::string(name_of(section))};
  if (section == Section::strings) {
    row.span = heap.strings.span;
    row.count = heap.strings.table.count();
  } else if (section == Section::trace_tree) {
    row.span = heap.trace_tree.span;
    row.count = heap.trace_tree.id.size();
  } else {
    row.span = heap.table(section).span;
    row.count = heap.table(section).row_count();
  }
  return row;
}

void add_facts(const snapshot::Snapshot& heap, Summary& summary) {
  add_producer(summary, guess_producer(heap));
  const bool is_timeline = heap.table(Section::samples).row_count() != 0;
  summary.facts.push_back(
      {.key = "kind", .label = "kind", .value = std::string(is_timeline ? "timeline" : "snapshot")});
  const auto* sizes = heap.find_column(Section::nodes, "self_size");
  add_number(summary, "heap_bytes", "heap bytes", sizes == nullptr ? 0 : sum_of(*sizes));
  if (heap.header.extra_native_bytes)
    add_number(summary, "native_bytes", "native bytes", heap.header.extra_native_bytes->value);
}

}  // namespace

void summarise_heapsnapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                            Summary& summary) {
  const snapshot::Snapshot heap = snapshot::read_snapshot(window, limits, sink);
  window.skip(UINT64_MAX);  // the reader stops at a syntax error
  summary.byte_count = window.offset();
  add_facts(heap, summary);
  auto& content = summary.content.emplace<SnapshotSummary>();
  for (std::size_t i = 0; i < snapshot::section_count; ++i) {
    if (const auto& fields = heap.schema.fields[i])
      content.columns.emplace_back(snapshot::sections[i].fields, *fields);
  }
  if (heap.header.is_present)
    content.sections.push_back({.kind = "snapshot", .span = heap.header.span, .count = 1});
  for (const Section section : heap.order) content.sections.push_back(describe(heap, section));
}

}  // namespace heapcheck::analyze
