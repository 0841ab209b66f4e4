#include "validate/chrome/heaps_v2/check.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "formats/core/text/excerpt.hpp"
#include "validate/chrome/heaps_v2/map_rules.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"
#include "validate/side_by_side.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using heapcheck::chrome::heaps_v2::Layout;
using heapcheck::chrome::heaps_v2::map_kinds;
using heapcheck::chrome::heaps_v2::MapUse;

void check_version(const Dump& dump, core::FindingSink& sink) {
  if (dump.layout != Layout::heaps_v2 || !dump.is_whole || dump.version == 1) return;
  Location location = locate(dump);
  if (!dump.version) {
    core::report_or_count(
        sink, {&rules::version_missing, std::move(location), "the object has no `version`, expected 1"});
    return;
  }
  location.path += "/version";
  core::report_or_count(sink, {&rules::version_unknown, std::move(location),
                               fmt::format("found version {}, expected 1", *dump.version)});
}

/// Returns which allocators have usable rows.
std::vector<bool> find_usable(const Dump& dump, core::FindingSink& sink) {
  std::vector<bool> usable;
  for (const Heap& heap : dump.heaps) {
    usable.push_back(heap.is_whole && check_columns(dump, heap, sink));
    if (!usable.back()) sink.skip({locate(dump, heap).path, "its columns do not form rows"});
  }
  return usable;
}

/// Checks the values for each allocator. Does not compare sums with totals if the rows may belong to another
/// dump.
void check_values(const Dump& dump, const Scope& scope, const std::vector<bool>& usable, bool is_own,
                  core::FindingSink& sink) {
  for (std::size_t i = 0; i < dump.heaps.size(); ++i) {
    if (!usable[i]) continue;
    check_rows(dump, dump.heaps[i], scope, sink);
    if (is_own) check_sums(dump, dump.heaps[i], sink);
  }
  if (!is_own) sink.skip({locate(dump).path, "the rows may be those of another dump, so totals may differ"});
}

/// Checks that the ids of the maps are unambiguous, and records the maps with ambiguous ids.
void check_maps(const Model& model, const Scope& scope, History& history, core::FindingSink& sink) {
  const Dump& dump = model.dumps[scope.current()];
  for (const MapKind kind : map_kinds) {
    bool is_good = check_ids(model, scope, kind, sink);
    if (scope.use() == MapUse::incremental) is_good = check_redefined(model, scope, kind, sink) && is_good;
    if (is_good && kind == MapKind::nodes) check_cycles(dump, scope, sink);
    history.is_broken[static_cast<std::size_t>(kind)] =
        !is_good || !map_of(dump, kind).is_whole || !dump.is_whole;
  }
}

/// Returns whether the rows belong to the dump, judging by their ids.
bool check_dump(const Model& model, const Scope& scope, History& history, core::FindingSink& sink) {
  const Dump& dump = model.dumps[scope.current()];
  check_version(dump, sink);
  const auto usable = find_usable(dump, sink);
  check_maps(model, scope, history, sink);
  const bool is_own = check_references(dump, scope, usable, history, sink);
  check_values(dump, scope, usable, is_own, sink);
  for (std::size_t i = 0; i < history.was_broken.size(); ++i) {
    history.was_broken[i] = history.was_broken[i] || history.is_broken[i];
  }
  return is_own;
}

/// Checks heaps2.dump.shared-id, and reports it once for each process and dump id.
void check_shared_ids(const Model& model, const std::vector<std::uint32_t>& dumps, core::FindingSink& sink) {
  std::map<std::string_view, std::vector<std::uint32_t>> by_id;
  for (const std::uint32_t dump : dumps) by_id[model.dumps[dump].head.id].push_back(dump);
  for (const auto& [id, same] : by_id) {
    if (same.size() < 2) continue;
    Finding finding{&rules::dump_shared_id, locate(model.dumps[same[1]]),
                    fmt::format("found {} dumps of process {} with id {}, expected one", same.size(),
                                model.dumps[same[0]].head.pid.value_or(0), core::make_excerpt(id))};
    finding.related.push_back({locate(model.dumps[same[0]]), "the first dump"});
    core::report_or_count(sink, std::move(finding));
  }
}

void check_process(const Model& model, const std::vector<std::uint32_t>& dumps, core::FindingSink& sink) {
  check_shared_ids(model, check_twice(model, dumps, sink), sink);
  check_missing_totals(model, dumps, sink);
  Scope scope(model);
  History history;
  std::vector<std::uint32_t> own_dumps;
  for (const std::uint32_t dump : dumps) {
    scope.enter(dump);
    if (check_dump(model, scope, history, sink)) own_dumps.push_back(dump);
  }
  check_lost_heaps(model, own_dumps, sink);
}

}  // namespace

void check(const Model& model, unsigned threads, core::FindingSink& sink) {
  std::vector<std::vector<std::uint32_t>> processes;
  for (auto& [pid, dumps] : heapcheck::chrome::heaps_v2::find_processes(model))
    processes.push_back(std::move(dumps));
  check_each(
      threads, processes.size(),
      [&](std::size_t i, core::FindingSink& held) { check_process(model, processes[i], held); }, sink);
}

}  // namespace heapcheck::validation::chrome::heaps_v2
