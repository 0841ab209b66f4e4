#include "validate/chrome/legacy/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "formats/core/finding_groups.hpp"
#include "formats/core/held_sink.hpp"
#include "formats/core/keyed_hash.hpp"
#include "validate/chrome/legacy/rules.hpp"
#include "validate/chrome/legacy/view.hpp"
#include "validate/side_by_side.hpp"

namespace heapcheck::validation::chrome::legacy {
namespace {

using DumpSet = std::unordered_set<const format::Dump*>;

bool is_same(const format::Heap& a, const format::Heap& b) {
  return a.allocator == b.allocator && a.entries.frame == b.entries.frame &&
         a.entries.type == b.entries.type && a.entries.size == b.entries.size &&
         a.entries.count == b.entries.count;
}

/// Returns whether both dumps have the same entries, and at least one.
bool is_copy(const format::Dump& a, const format::Dump& b) {
  const auto has_entries = [](const format::Heap& heap) { return heap.entries.row_count() != 0; };
  return std::ranges::any_of(a.heaps, has_entries) && std::ranges::equal(a.heaps, b.heaps, is_same);
}

/// Checks that each process has only one event with heaps in each dump.
void check_repeated(const format::Process& process, const DumpSet& foreign, core::FindingSink& sink) {
  std::unordered_map<std::string, const format::Dump*, core::KeyedHash> dumps;
  for (const format::Dump& dump : process.dumps) {
    if (foreign.contains(&dump)) continue;
    const auto [first, is_new] = dumps.emplace(dump.head.id, &dump);
    if (is_new) continue;
    const bool is_twice = is_copy(*first->second, dump);
    core::report_or_count(
        sink, {is_twice ? &rules::dump_twice : &rules::dump_repeated,
               dump.source.location(),
               is_twice ? "the dump has the same entries as an earlier one, expected different entries"
                        : "the process has a second event with heaps in this dump, expected one",
               {{first->second->source.location(), "the first event"}}});
  }
}

/// Returns whether any entry has a stack with frames.
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

/// Returns whether any entry with cumulative values has a type. In the old variant, types do not need names.
bool has_types(const format::Dump& dump) {
  return std::ranges::any_of(dump.heaps, [](const format::Heap& heap) {
    return !heap.entries.is_old_variant() && std::ranges::any_of(heap.entries.type, [](format::TypeId id) {
      return id < format::unreadable_type;
    });
  });
}

/// Returns whether there are events but no names, and no error explains that.
bool is_empty(const format::Names& names) {
  return names.is_present() && names.count() == 0 && !names.is_broken;
}

void report_process(const format::Process& process, const Rule& rule, const format::Source& source,
                    std::string_view what, core::FindingSink& sink) {
  core::report_or_count(sink, {&rule, source.location(), fmt::format("process {} {}", process.pid, what)});
}

/// Reports tables that the process's dumps need but that contain no names.
void check_empty_tables(const format::Process& process, core::FindingSink& sink) {
  if (is_empty(process.frames) && std::ranges::any_of(process.dumps, has_stacks)) {
    report_process(process, rules::frames_missing, process.frames.events.front(),
                   "has no stack frames, expected those of its entries", sink);
  }
  if (is_empty(process.types) && std::ranges::any_of(process.dumps, has_types)) {
    report_process(process, rules::types_missing, process.types.events.front(),
                   "has no type names, expected those of its entries", sink);
  }
}

/// Reports tables that the process's dumps need but that are missing from the trace.
void check_tables(const ProcessView& view, core::FindingSink& sink) {
  const format::Process& process = *view.process;
  const auto end = process.dumps.end();
  const auto stacks = std::ranges::find_if(process.dumps, has_stacks);
  const auto values = std::ranges::find_if(process.dumps, has_cumulative_values);
  const bool lacks_frames = stacks != end && !process.frames.is_present();
  const bool lacks_types = values != end && !process.types.is_present();
  if ((lacks_frames || lacks_types) && !view.is_complete) {
    sink.skip({process.dumps.front().source.place.path, "names may be in the missing part of the trace"});
    return;
  }
  if (lacks_frames) {
    report_process(process, rules::frames_missing, stacks->source,
                   "has no `stackFrames` event, expected one for its entries", sink);
  }
  if (lacks_types) {
    report_process(process, rules::types_missing, values->source,
                   "has no `typeNames` event, expected one for its entries", sink);
  }
  check_empty_tables(process, sink);
}

/// Checks frames and types. If they are broken, everything that depends on them is skipped.
void check_names(ProcessView& view, core::FindingSink& sink) {
  const format::Process& process = *view.process;
  core::Tally tally(sink);
  check_frames(view, tally);
  check_types(view, tally);
  check_tables(view, tally);
  view.is_broken = !tally.clean() || process.frames.is_broken || process.types.is_broken;
  if (!view.is_broken || std::ranges::none_of(process.dumps, has_cumulative_values)) return;
  sink.skip(
      {process.dumps.front().source.place.path,
       fmt::format("the stack frames or types of process {} are broken, so its values cannot be compared",
                   process.pid)});
}

void check_empty_heap(const format::Dump& dump, const format::Heap& heap, core::FindingSink& sink) {
  if (heap.is_damaged) return;
  const Location location = dump.source.place.locate(heap.span, "/" + core::escape_key(heap.allocator));
  core::report_or_count(sink,
                        {&rules::heap_empty, location, "the allocator has no entries, expected a total"});
}

/// Checks that no entry has more objects than bytes.
void check_counts(const HeapView& view, core::FindingSink& sink) {
  const format::Entries& entries = view.heap->entries;
  std::uint64_t found = 0;
  std::uint64_t first = 0;
  for (std::uint64_t row = 0; row < entries.row_count(); ++row) {
    const bool has_count = entries.count[row] != format::no_value && entries.size[row] != 0;
    if (has_count && entries.count[row] > entries.size[row] && found++ == 0) first = row;
  }
  if (found == 0) return;
  core::report_or_count(sink,
                        {&rules::entry_count, view.dump->locate(*view.heap, first),
                         fmt::format("{} more objects than bytes, expected at least one byte for each object",
                                     found == 1 ? "1 entry has" : fmt::format("{} entries have", found))});
}

void check_heap(HeapView& view, const format::Dump& dump, const format::Heap& heap, core::FindingSink& sink) {
  if (heap.entries.row_count() == 0) return check_empty_heap(dump, heap, sink);
  const ProcessView& process = *view.process;
  view.begin(dump, heap);
  resolve_entries(view, sink);
  if (view.is_old) {
    core::report_or_count(sink,
                          {&rules::heap_old_variant, dump.locate(heap, 0),
                           "found self values and no `bt` in the first entry, expected cumulative values"});
    if (view.is_whole) check_old_sums(view, sink);
    return;
  }
  // Values cannot be compared if the callers of a stack are unknown; check_names() has recorded that.
  if (process.is_broken) return;
  check_root(view, sink);
  if (!view.is_whole) {
    sink.skip({view.path(), "some entries could not be resolved, so totals may only seem to be missing"});
    return;
  }
  const bool is_fitting = check_sums(view, sink);
  if (!view.is_whole) return;
  check_totals(view, sink);
  if (is_fitting) check_counts(view, sink);
  if (is_fitting && view.has_totals && process.model->threshold == 0) check_type_rests(view, sink);
}

/// A dump that adds more faults than this is considered not to belong to its process.
constexpr std::uint64_t most_faults = 9;

/// Returns whether a dump does not belong to its process. The missing ids that the dump adds only prove this
/// if the process lacks many ids as a result. Missing ids are counted per process rather than per dump, so
/// that a table that lacks many of its names produces few findings even if each dump needs only some of those
/// names. spec: chrome/legacy.md#object
bool has_many_faults(const EntryFaults& before, const EntryFaults& now) {
  const bool lacks_ids =
      now.missing_ids() > std::max<std::uint64_t>(before.missing_ids(), core::few_violations);
  return lacks_ids || now.count() - before.count() > most_faults;
}

/// Checks the entries of a dump. Returns whether they have too many faults, in which case none of them is
/// reported.
bool check_dump(HeapView& view, const format::Dump& dump, core::FindingSink& sink) {
  core::HeldSink held(sink);
  EntryFaults& found = view.process->found;
  EntryFaults before = found;
  for (const format::Heap& heap : dump.heaps) check_heap(view, dump, heap, held);
  const bool is_foreign = has_many_faults(before, found);
  if (is_foreign) {
    found = std::move(before);
  } else {
    held.flush();
  }
  return is_foreign;
}

/// The dumps that do not match the names.
std::vector<Related> list_dumps(const format::Process& process, const DumpSet& foreign) {
  std::vector<Related> dumps;
  for (const format::Dump& dump : process.dumps) {
    if (foreign.contains(&dump)) dumps.push_back({dump.source.location(), "a dump that does not fit"});
  }
  return dumps;
}

void report_names(const format::Process& process, const DumpSet& foreign, core::FindingSink& sink) {
  const format::Names& names =
      process.types.is_present() ? static_cast<const format::Names&>(process.types) : process.frames;
  core::report_or_count(sink,
                        {&rules::names_other_process, names.events.front().location(),
                         fmt::format("the entries of {} dumps of process {} contradict its frames or types, "
                                     "expected those of this process",
                                     foreign.size(), process.pid),
                         list_dumps(process, foreign)});
}

/// Checks the dumps of a process, and returns those that do not belong to it.
DumpSet check_dumps(ProcessView& view, core::FindingSink& sink) {
  const format::Process& process = *view.process;
  core::HeldSink held(sink);
  DumpSet foreign;
  HeapView heap(view);
  for (const format::Dump& dump : process.dumps) {
    if (check_dump(heap, dump, held)) foreign.insert(&dump);
  }
  // If most dumps do not match, it is the names and not the dumps that belong to another process.
  if (foreign.size() > 1 && foreign.size() > process.dumps.size() / 2) {
    report_names(process, foreign, sink);
    view.found = {};
    return {};
  }
  held.flush();
  for (const format::Dump& dump : process.dumps) {
    if (!foreign.contains(&dump)) continue;
    core::report_or_count(sink, {&rules::dump_other_process, dump.source.location(),
                                 fmt::format("the entries contradict the frames or types of process {}, "
                                             "expected the heaps of this process",
                                             process.pid)});
  }
  return foreign;
}

void check_process(const format::Model& model, const format::Process& process, bool is_complete,
                   core::FindingSink& sink) {
  ProcessView view{.model = &model,
                   .process = &process,
                   .is_complete = is_complete,
                   .forest = format::make_forest(process.frames),
                   .types = format::make_index(process.types.id),
                   .found = {},
                   .is_broken = false,
                   .first_entry = {}};
  check_names(view, sink);
  const DumpSet foreign = check_dumps(view, sink);
  check_repeated(process, foreign, sink);
  report_sums(view, sink);
}

}  // namespace

void check(const format::Model& model, bool is_complete, unsigned threads, core::FindingSink& sink) {
  check_each(
      threads, model.processes.size(),
      [&](std::size_t i, core::FindingSink& held) {
        check_process(model, model.processes[i], is_complete, held);
      },
      sink);
}

}  // namespace heapcheck::validation::chrome::legacy
