#include "validate/mvmheap/rules.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::mvmheap {
namespace {

void skip(const SnapshotView& view, core::FindingSink& sink, std::string_view what, std::string_view why) {
  sink.skip({fmt::format("/snapshots/{}/{}", view.index, what), std::string(why)});
}

/// Whether several collectables have an invalid kind, which means that their other columns are probably
/// damaged too.
bool has_damaged_rows(const SnapshotView& view) {
  std::uint64_t known = 0;
  for (std::uint64_t kind = 1; kind <= model::last_collectable_kind; ++kind)
    known += view.summary.kind_counts[kind];
  return view.snapshot.collectables.count() - known > 1;
}

SoundColumns check_collectables(const SnapshotView& view, const TablesKnown& tables,
                                core::FindingSink& sink) {
  core::Tally kinds(sink);
  check_kinds(view, kinds);
  if (has_damaged_rows(view)) {
    skip(view, sink, "collectables", "the other columns of collectables without a valid kind are damaged");
    return {false, false, false};
  }
  check_root(view, kinds);
  core::Tally sizes(sink);
  core::Tally indices(sink);
  if (kinds.clean()) check_root_fields(view, sizes);
  check_size_sum(view, sizes);
  if (tables.types) check_type_indices(view, indices);
  if (tables.frames) check_frame_indices(view, indices);
  if (!tables.types)
    skip(view, sink, "collectables/type_or_frame_index", "the types table could not be read completely");
  if (!tables.frames)
    skip(view, sink, "collectables/type_or_frame_index",
         "the static frames table could not be read completely");
  return {kinds.clean(), indices.clean(), sizes.clean()};
}

/// Returns whether the references follow the rules.
bool check_references(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink) {
  core::Tally tally(sink);
  check_descriptions(view, tables.strings, tally);
  if (!tables.strings)
    skip(view, sink, "references/description", "the string table could not be read completely");

  if (has_damaged_rows(view)) return false;
  core::Tally graph(tally);
  const bool has_targets = view.snapshot.references.has_targets;
  if (has_targets) check_targets(view, graph);
  core::Tally ranges(graph);
  check_ranges(view, ranges);
  if (ranges.clean()) check_partition(view, graph);
  if (!has_targets) {
    skip(view, sink, "references/target", "the file does not contain the targets of references");
  } else if (graph.clean()) {
    check_reachability(view, tally);
  } else {
    skip(view, sink, "collectables", "reachability depends on references that violate rules");
  }
  return tally.clean();
}

}  // namespace

SoundColumns check_snapshot(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink) {
  SoundColumns sound = check_collectables(view, tables, sink);
  if (view.snapshot.collectables.count() != 0) sound.references = check_references(view, tables, sink);
  return sound;
}

}  // namespace heapcheck::validation::mvmheap
