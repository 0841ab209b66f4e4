#include "export/profiles/stacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/checked.hpp"
#include "formats/core/frame_table.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::exports::profiles {

namespace {

/// How many times each place begins a stack that is written.
std::vector<std::uint64_t> count_stacks(const AllocationProfile& profile, WrittenStacks written) {
  std::vector<std::uint64_t> stacks(profile.caller.size());
  for (std::size_t row = 0; row < profile.place.size(); ++row) {
    const bool has_memory = profile.size[row] != 0 || (has_counts(profile) && profile.count[row] != 0);
    if (has_memory) ++stacks[profile.place[row]];
  }
  if (written == WrittenStacks::of_rows) return stacks;
  for (std::size_t place = 0; place < stacks.size(); ++place) {
    const bool has_allocated = profile.allocated_size[place] != 0 || profile.allocated_count[place] != 0;
    stacks[place] = stacks[place] != 0 || has_allocated ? 1 : 0;
  }
  return stacks;
}

}  // namespace

Result<void> check_stacks(const AllocationProfile& profile, WrittenStacks written) {
  // Profilers keep at most a few hundred frames of a stack.
  constexpr std::uint64_t usual_depth = 1024;
  constexpr std::uint64_t floor = std::uint64_t{1} << 25U;
  constexpr std::uint64_t ceiling = std::uint64_t{1} << 28U;
  const std::size_t usual_count =
      written == WrittenStacks::of_rows ? profile.place.size() : profile.caller.size();
  const std::uint64_t most = std::clamp(usual_depth * usual_count, floor, ceiling);
  const std::vector<std::uint64_t> stacks = count_stacks(profile, written);
  std::vector<std::uint32_t> depth(profile.caller.size());
  std::uint64_t frames = 0;
  for (std::size_t place = 1; place < depth.size(); ++place) {
    depth[place] = depth[profile.caller[place]] + 1;
    frames += depth[place] * stacks[place];
  }
  if (frames <= most) return {};
  return std::unexpected(
      Error{ErrorKind::limit,
            fmt::format("the stacks have {} frames in total, expected at most {}", frames, most)});
}

PlaceTotals add_up_places(const AllocationProfile& profile) {
  PlaceTotals totals;
  totals.size.resize(profile.caller.size());
  totals.count.resize(profile.caller.size());
  for (std::size_t i = 0; i < profile.place.size(); ++i) {
    const std::uint32_t place = profile.place[i];
    totals.size[place] = core::saturating_add(totals.size[place], profile.size[i]);
    if (has_counts(profile))
      totals.count[place] = core::saturating_add(totals.count[place], profile.count[i]);
  }
  return totals;
}

std::string describe_frame(const AllocationProfile& profile, const StackFrame& frame) {
  const std::string_view name = profile.texts[frame.name];
  std::string text(name.empty() ? "(anonymous)" : name);
  const std::string_view script = script_of(profile, frame);
  if (script.empty()) return text;
  text.append(" (").append(script);
  for (const std::uint32_t number : {frame.line, frame.column}) {
    if (number == 0) break;
    text += ':' + std::to_string(number);
  }
  return text + ')';
}

namespace {

/// The frames for the types of a graph: their names and, for classes and MoarVM's frames, their places.
class TypeFrames {
 public:
  TypeFrames(const Graph& graph, AllocationProfile& profile) : graph_(&graph), profile_(&profile) {
    if (!graph.node_places.empty()) place_of_.resize(graph.node_count(), no_place);
    for (const NodePlace& at : graph.node_places) place_of_[at.node] = at.place;
    scripts_.resize(graph.source_places.size(), unknown);
  }

  /// The index that the frame of the root will have.
  std::uint32_t add_root() { return frames_.intern({.name = number_of("(root)")}); }
  /// The index that the frame of a node will have.
  std::uint32_t find(std::uint32_t node) {
    const GraphKind& kind = graph_->node(node).kind();
    StackFrame frame{.name = number_of(graph_->node(node).type_name())};
    // The name of a type that all nodes of a kind share has no place.
    const bool has_place = kind.place_is_of_type && kind.type_name.empty() && !place_of_.empty();
    if (has_place && place_of_[node] != no_place) {
      const SourcePlace& place = graph_->source_places[place_of_[node]];
      frame.script = find_script(place_of_[node]);
      frame.line = place.line;
      frame.column = place.column;
    }
    return frames_.intern(frame);
  }
  /// Moves the frames to the profile. Call this last.
  void finish() { profile_->frames = frames_.take(); }

 private:
  static constexpr std::uint32_t no_place = UINT32_MAX;
  static constexpr std::uint32_t unknown = UINT32_MAX - 1;

  std::uint32_t number_of(std::string_view name) {
    const auto [number, is_new] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(profile_->texts.count()));
    if (is_new) profile_->texts.add(name);
    return number->second;
  }
  std::uint32_t find_script(std::uint32_t place) {
    if (scripts_[place] == unknown) {
      const std::uint32_t file = graph_->source_places[place].file;
      scripts_[place] = file == Graph::no_text ? StackFrame::no_script : number_of(graph_->texts[file]);
    }
    return scripts_[place];
  }

  const Graph* graph_;
  AllocationProfile* profile_;
  core::FrameTable frames_;
  std::vector<std::uint32_t> place_of_;  // of each node; empty if no node has a place
  std::vector<std::uint32_t> scripts_;   // of each place
  std::unordered_map<std::string_view, std::uint32_t, core::KeyedHash> numbers_;
};

/// The places of a tree. Each can be found by its frame and the place above it.
class Places {
 public:
  explicit Places(AllocationProfile& profile) : profile_(&profile) {}
  std::uint32_t find(std::uint32_t caller, std::uint32_t frame) {
    const std::uint64_t key = std::uint64_t{caller} << 32 | frame;
    const auto [place, is_new] =
        places_.try_emplace(key, static_cast<std::uint32_t>(profile_->caller.size()));
    if (is_new) {
      profile_->caller.push_back(caller);
      profile_->frame.push_back(frame);
    }
    return place->second;
  }

 private:
  AllocationProfile* profile_;
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> places_;
};

}  // namespace

std::string describe_process(const DumpProcess& process) {
  if (process.name.empty()) return {};
  return ", process " + process.name + (process.dump.empty() ? "" : ", dump " + process.dump);
}

AllocationProfile make_profile_of_dominators(const Graph& graph, const analyze::Retention& retention) {
  AllocationProfile profile;
  TypeFrames frames(graph, profile);
  profile.caller = {0};
  profile.frame = {frames.add_root()};
  Places places(profile);
  std::vector<std::uint32_t> place_of(graph.node_count());
  // A dominator comes before the nodes that it dominates, so the place above is already known.
  for (const std::uint32_t node : retention.dominators.order) {
    if (node != 0) {
      const std::uint32_t above = place_of[retention.dominators.dominator[node]];
      place_of[node] = places.find(above, frames.find(node));
    }
    profile.size.resize(profile.caller.size());
    profile.count.resize(profile.caller.size());
    const std::uint32_t place = place_of[node];
    profile.size[place] = core::saturating_add(profile.size[place], retention.sizes[node]);
    ++profile.count[place];
  }
  frames.finish();
  profile.place.resize(profile.caller.size());
  std::iota(profile.place.begin(), profile.place.end(), 0U);
  return profile;
}

}  // namespace heapcheck::exports::profiles
