
#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/finding_groups.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/chrome/legacy/rules.hpp"

namespace heapcheck::validation::chrome::legacy {
namespace {

Location locate(const ProcessView& view, std::uint32_t row) {
  const format::Frames& frames = view.process->frames;
  return view.model->locate(frames, row, static_cast<std::uint32_t>(frames.id[row]));
}

/// Reports one finding for each event that repeats ids from earlier events.
void check_duplicate_ids(const ProcessView& view, core::FindingSink& sink) {
  const format::Frames& frames = view.process->frames;
  for (std::uint32_t row = 0, end = 0; row < frames.count(); row = end) {
    std::uint64_t count = 0;
    std::uint32_t first = 0;
    for (end = row; end < frames.count() && frames.event[end] == frames.event[row]; ++end) {
      if (*view.forest.index.find(static_cast<std::uint32_t>(frames.id[end])) == end) continue;
      if (count++ == 0) first = end;
    }
    if (count == 0) continue;
    const std::uint32_t before = *view.forest.index.find(static_cast<std::uint32_t>(frames.id[first]));
    core::report_or_count(sink,
                          {&format::rules::frame_duplicate_id,
                           locate(view, first),
                           fmt::format("{} in an earlier event, expected different ids",
                                       count == 1 ? "1 frame has the id of a frame"
                                                  : fmt::format("{} frames have the ids of frames", count)),
                           {{locate(view, before), "the first frame with this id"}}});
  }
}

/// Reports `count` missing parents, the first of which is the parent of the frame in `row`.
void report_parent(const ProcessView& view, std::uint32_t row, std::size_t count, core::FindingSink& sink) {
  const format::FrameId parent = view.process->frames.parent[row];
  core::report_lazily(sink, rules::frame_dangling_parent, [&] {
    const std::string more = count == 1 ? "" : fmt::format(", and {} more parents are missing", count - 1);
    return Finding{&rules::frame_dangling_parent, locate(view, row),
                   fmt::format("`parent` is `{}`{}, expected the id of a stack frame",
                               core::make_excerpt(view.model->ids.text(parent)), more)};
  });
}

void check_parents(const ProcessView& view, core::FindingSink& sink) {
  const format::Frames& frames = view.process->frames;
  if (frames.is_damaged && !view.forest.dangling.empty()) {
    sink.skip({frames.events.front().place.path, "an id occurs twice, so a different id may be missing"});
    return;
  }
  std::unordered_set<format::FrameId, core::KeyedHash> parents;
  std::vector<std::uint32_t> lost;  // for each missing parent, the first frame that has it
  for (const std::uint32_t row : view.forest.dangling) {
    if (parents.insert(frames.parent[row]).second) lost.push_back(row);
  }
  if (lost.size() > core::few_violations) return report_parent(view, lost.front(), lost.size(), sink);
  for (const std::uint32_t row : lost) report_parent(view, row, 1, sink);
}

}  // namespace

void check_frames(const ProcessView& view, core::FindingSink& sink) {
  check_duplicate_ids(view, sink);
  check_parents(view, sink);
  for (const std::uint32_t row : view.forest.cycles) {
    core::report_or_count(
        sink, {&rules::frame_cycle, locate(view, row),
               "the frame is one of its own callers, expected parents that lead to an outermost frame"});
  }
}

void check_types(const ProcessView& view, core::FindingSink& sink) {
  const std::vector<format::Source>& events = view.process->types.events;
  for (std::size_t event = 1; event < events.size(); ++event) {
    core::report_or_count(
        sink,
        {&rules::types_repeated, events[event].location(),
         fmt::format("found `typeNames` event number {} of the process, expected only one", event + 1)});
  }
}

}  // namespace heapcheck::validation::chrome::legacy
