// The summary of a MoarVM dump of any version.
#include "analyze/summary/summary.hpp"
#include "formats/core/added_bytes.hpp"
#include "formats/format.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::analyze {
namespace {

using mvmheap::CollectableKind;

void add_kinds(const mvmheap::Part& part, MvmheapSnapshot& row) {
  const mvmheap::Summary summary =
      mvmheap::summarise(part.snapshot.collectables, part.after, mvmheap::Shares::none);
  row.objects = summary.count_of(CollectableKind::object);
  row.type_objects = summary.count_of(CollectableKind::type_object);
  row.stables = summary.count_of(CollectableKind::stable);
  row.frames = summary.count_of(CollectableKind::frame);
  row.byte_count = summary.byte_count;
}

/// Returns whether the start of a file is enough to determine the fact.
bool is_known_at_start(const Fact& fact) {
  return fact.key == "subversion" || fact.key == "start_time" || fact.key == "pid";
}

/// If reading stopped at a limit, most facts about the whole file are unknown.
void mark_unknown_facts(Summary& summary) {
  if (summary.limits == 0) return;
  for (Fact& fact : summary.facts) {
    if (is_known_at_start(fact)) continue;
    fact.value = {};
    fact.words = "unknown (a limit was reached)";
  }
}

}  // namespace

Fact make_targets_fact() {
  return {.key = "lacks_targets", .label = "targets", .value = true, .words = "none (by a 32-bit MoarVM)"};
}

MvmheapSnapshot describe_snapshot(const mvmheap::Part& part) {
  MvmheapSnapshot row{.index = part.index,
                      .is_whole = part.has_whole_snapshot,
                      .collectables = part.snapshot.collectables.count(),
                      .references = part.snapshot.references.count()};
  if (part.meta) {
    for (const auto& field : mvmheap::snapshot_meta_fields)
      row.claims.emplace_back(field.name, (*part.meta).*field.member);
  }
  if (part.has_whole_graph) add_kinds(part, row);
  return row;
}

void summarise_mvmheap(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink,
                       Summary& summary) {
  const auto reader = formats::info_of(format).version->make_reader(window, limits, sink);
  auto& content = summary.content.emplace<MvmheapSummary>();
  bool lacks_targets = false;
  while (const mvmheap::Part* part = reader->read_part()) {
    if (!part->has_snapshot) continue;
    content.snapshots.push_back(describe_snapshot(*part));
    lacks_targets = lacks_targets || !part->snapshot.references.has_targets;
  }
  mvmheap::DumpDescription file = reader->describe_file();
  if (const core::AddedBytes* const added = window.added_bytes()) {
    file.byte_count = added->to_file(file.byte_count);
    for (FileBlock& block : file.blocks) block.span = added->to_file(block.span);
  }
  summary.byte_count = file.byte_count;
  summary.facts = std::move(file.facts);
  if (lacks_targets) summary.facts.push_back(make_targets_fact());
  content.blocks = std::move(file.blocks);
  const mvmheap::TableCounts counts = reader->tables().counts();
  add_number(summary, "strings", "strings", counts.strings);
  add_number(summary, "types", "types", counts.types);
  add_number(summary, "static_frames", "static frames", counts.static_frames);
  mark_unknown_facts(summary);
}

}  // namespace heapcheck::analyze
