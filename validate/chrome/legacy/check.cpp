#include "validate/chrome/legacy/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "validate/chrome/legacy/entry_rules.hpp"
#include "validate/chrome/legacy/name_rules.hpp"
#include "validate/chrome/legacy/rules.hpp"
#include "validate/chrome/legacy/sum_rules.hpp"
#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validate::chrome::legacy {
namespace {

/// Only the first event of a process and a dump counts.
void check_repeated(const format::Process& process, core::FindingSink& sink) {
  std::unordered_map<std::string, const format::Dump*> dumps;
  for (const format::Dump& dump : process.dumps) {
    const auto [first, is_new] = dumps.emplace(dump.head.id, &dump);
    if (is_new) continue;
    core::report_or_count(sink, {&rules::dump_repeated,
                                 dump.source.location(),
                                 "the process has a second event with heaps in this dump",
                                 {{first->second->source.location(), "the first one"}}});
  }
}

/// Whether any entry is of a stack that has frames.
bool has_stacks(const format::Dump& dump) {
  return std::ranges::any_of(dump.heaps, [](const format::Heap& heap) {
    return std::ranges::any_of(heap.entries.frame,
                               [](format::FrameId id) { return id < format::unreadable_stack; });
  });
}

bool has_cumulative_values(const format::Dump& dump) {
  return std::ranges::any_of(dump.heaps, [](const format::Heap& heap) {
    return heap.entries.row_count() != 0 && !heap.entries.is_old_variant();
  });
}

/// Tables that the dumps of a process need and the trace does not have.
void check_tables(const ProcessView& view, core::FindingSink& sink) {
  const format::Process& process = *view.process;
  const auto stacks = std::ranges::find_if(process.dumps, has_stacks);
  const auto values = std::ranges::find_if(process.dumps, has_cumulative_values);
  const bool lacks_frames = stacks != process.dumps.end() && !process.frames.is_present();
  const bool lacks_types = values != process.dumps.end() && !process.types.is_present();
  if ((lacks_frames || lacks_types) && !view.is_complete) {
    sink.skip({process.dumps.front().source.place.path, "names may stand in the missing part of the trace"});
    return;
  }
  if (lacks_frames) {
    core::report_or_count(sink, {&rules::frames_missing, stacks->source.location(),
                                 fmt::format("process {} has no event `stackFrames`", process.pid)});
  }
  if (lacks_types) {
    core::report_or_count(sink, {&rules::types_missing, values->source.location(),
                                 fmt::format("process {} has no event `typeNames`", process.pid)});
  }
}

void check_heap(ProcessView& process, const format::Dump& dump, const format::Heap& heap,
                core::FindingSink& sink) {
  HeapView view;
  view.process = &process;
  view.dump = &dump;
  view.heap = &heap;
  if (heap.entries.row_count() == 0) {
    const core::Location location =
        dump.source.place.locate(heap.span, "/" + heapcheck::chrome::escape_key(heap.allocator));
    if (!heap.is_damaged) core::report_or_count(sink, {&rules::heap_empty, location, "has no entries"});
    return;
  }
  resolve_entries(view, sink);
  if (heap.entries.is_old_variant()) {
    core::report_or_count(sink, {&rules::heap_old_variant, dump.locate(heap, 0),
                                 "the first entry has no `bt`, so values are those of a stack alone"});
    return;
  }
  check_totals(view, sink);
  if (!view.is_whole) return;
  core::Tally tally(sink);
  check_sums(view, tally);
  if (tally.clean() && process.model->threshold == 0) check_type_rests(view, sink);
}

}  // namespace

void check(const format::Model& model, bool is_complete, core::FindingSink& sink) {
  for (const format::Process& process : model.processes) {
    ProcessView view{.model = &model,
                     .process = &process,
                     .is_complete = is_complete,
                     .forest = format::make_forest(process.frames),
                     .types = format::make_index(process.types.id),
                     .missing_frames = {},
                     .missing_types = {}};
    check_frames(view, sink);
    check_types(view, sink);
    check_repeated(process, sink);
    check_tables(view, sink);
    for (const format::Dump& dump : process.dumps) {
      for (const format::Heap& heap : dump.heaps) check_heap(view, dump, heap, sink);
    }
  }
}

}  // namespace heapcheck::validate::chrome::legacy
