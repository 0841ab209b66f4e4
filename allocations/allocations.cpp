#include "allocations/allocations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/chrome/heaps_v2/profile.hpp"
#include "convert/chrome/legacy/profile.hpp"
#include "formats/core/frame_table.hpp"
#include "formats/core/source.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::allocations {
namespace {

namespace chrome = conversion::chrome;

/// Where a function begins.
struct ScriptPlace {
  std::string_view url;
  std::int32_t line;    // counted from 0; negative if it is unknown
  std::int32_t column;  // likewise
};

/// Makes the columns of a profile, and stores each name and each function only once.
class ProfileMaker {
 public:
  std::uint32_t add_name(std::string_view name) { return static_cast<std::uint32_t>(names_.intern(name)); }
  /// Adds a call of a function at an unknown place.
  void add_place(std::uint32_t caller, std::string_view name) {
    add_place(caller, name, {.url = {}, .line = -1, .column = -1});
  }
  void add_place(std::uint32_t caller, std::string_view name, const ScriptPlace& place) {
    const auto count_from_1 = [](std::int32_t number) {
      return number < 0 ? 0U : static_cast<std::uint32_t>(number) + 1U;
    };
    profile_.caller.push_back(caller);
    profile_.frame.push_back(
        frames_.intern({.name = add_name(name),
                        .script = place.url.empty() ? StackFrame::no_script : add_name(place.url),
                        .line = count_from_1(place.line),
                        .column = count_from_1(place.column)}));
  }
  AllocationProfile& profile() { return profile_; }

  AllocationProfile take() {
    profile_.frames = frames_.take();
    for (std::uint64_t i = 0; i < names_.count(); ++i)
      profile_.texts.add(names_[static_cast<core::PoolIndex>(i)]);
    return std::move(profile_);
  }

 private:
  core::StringPool names_;
  core::FrameTable frames_;
  AllocationProfile profile_;
};

Result<void> check_memory(std::uint64_t places, std::uint64_t rows, std::uint64_t text_bytes,
                          const Limits& limits) {
  // In the worst case, each place calls another function.
  constexpr std::uint64_t place_bytes = 2 * sizeof(std::uint32_t) + sizeof(StackFrame);
  constexpr std::uint64_t row_bytes = 3 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);
  if (places * place_bytes + rows * row_bytes + 2 * text_bytes <= limits.max_memory) return {};
  return std::unexpected(
      Error{ErrorKind::limit,
            fmt::format("the stacks need more memory than the limit of {} bytes", limits.max_memory)});
}

std::uint64_t count_rows(const chrome::Dump& dump) {
  std::uint64_t rows = 0;
  for (const chrome::Heap& heap : dump.heaps) rows += heap.row_count();
  return rows;
}

/// Makes the profile of one dump using only the frames that occur in it and their callers, because a process
/// may have many dumps and many frames. `places` contains the place of each frame. All places are 0 before
/// and after the conversion.
class DumpConverter {
 public:
  DumpConverter(const core::StringPool& strings, const chrome::Process& process,
                std::vector<std::uint32_t>& places)
      : strings_(strings), process_(process), places_(places) {
    maker_.add_place(0, "(root)");
  }

  AllocationProfile convert(const chrome::Dump& dump) {
    for (const chrome::Heap& heap : dump.heaps) add_heap(heap);
    for (const std::size_t frame : used_) places_[frame] = 0;
    AllocationProfile profile = maker_.take();
    profile.lacks_counts = !dump.has_counts;
    if (profile.lacks_counts) profile.count.clear();
    return profile;
  }

 private:
  void add_heap(const chrome::Heap& heap) {
    const std::uint32_t allocator = maker_.add_name(heap.allocator);
    AllocationProfile& profile = maker_.profile();
    for (std::size_t i = 0; i < heap.row_count(); ++i) {
      profile.place.push_back(find_place(heap.frame[i]));
      profile.type.push_back(
          maker_.add_name(strings_[process_.types[static_cast<std::size_t>(heap.type[i])]]));
      profile.allocator.push_back(allocator);
      profile.size.push_back(heap.size[i]);
      profile.count.push_back(heap.count[i]);
    }
  }

  /// Returns the place of a frame. If it has none, adds the frame after its callers.
  std::uint32_t find_place(chrome::FrameIndex frame) {
    const chrome::FrameTree& frames = process_.frames;
    std::vector<std::size_t> missing;
    for (; frame != chrome::no_frame; frame = frames.parent[static_cast<std::size_t>(frame)]) {
      if (places_[static_cast<std::size_t>(frame)] != 0) break;
      missing.push_back(static_cast<std::size_t>(frame));
    }
    std::uint32_t place = frame == chrome::no_frame ? 0 : places_[static_cast<std::size_t>(frame)];
    for (const std::size_t next : std::views::reverse(missing)) {
      maker_.add_place(place, strings_[frames.name[next]]);
      place = places_[next] = static_cast<std::uint32_t>(maker_.profile().caller.size() - 1);
      used_.push_back(next);
    }
    return place;
  }

  const core::StringPool& strings_;
  const chrome::Process& process_;
  std::vector<std::uint32_t>& places_;
  std::vector<std::size_t> used_;
  ProfileMaker maker_;
};

}  // namespace

Result<AllocationProfile> make_allocations(const v8::heapprofile::Profile& profile, const Limits& limits) {
  const v8::heapprofile::Nodes& nodes = profile.nodes;
  const auto fits = check_memory(nodes.count(), nodes.count(), profile.strings.memory(), limits);
  if (!fits) return std::unexpected(fits.error());
  const auto text_of = [&profile](core::PoolIndex text) {
    return text == v8::heapprofile::no_text ? std::string_view() : profile.strings[text];
  };
  ProfileMaker maker;
  if (nodes.count() == 0) maker.add_place(0, "(root)");
  maker.profile().lacks_counts = true;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    // Readers of a profile add up callees in a single pass from the end, so callers must come first.
    if (i != 0 && row_of(nodes.parent[i]) >= i)
      return std::unexpected(
          Error{ErrorKind::unreadable, fmt::format("node {} does not come after its parent", i)});
    const std::uint32_t caller = i == 0 ? 0U : static_cast<std::uint32_t>(nodes.parent[i]);
    maker.add_place(caller, text_of(nodes.function_name[i]),
                    {.url = text_of(nodes.url[i]), .line = nodes.line[i], .column = nodes.column[i]});
    if (nodes.self_size[i] == 0) continue;
    maker.profile().place.push_back(static_cast<std::uint32_t>(i));
    maker.profile().size.push_back(nodes.self_size[i]);
  }
  return maker.take();
}

DumpProfiles::DumpProfiles(chrome::Profile profile) : profile_(std::move(profile)) {
  std::uint64_t most_frames = 0;
  for (const chrome::Process& process : profile_.processes) {
    most_frames = std::max(most_frames, process.frames.count());
    for (const chrome::Dump& dump : process.dumps) dumps_.push_back({dump.head.index, &process, &dump});
  }
  std::ranges::sort(dumps_, {}, &EventDump::event);
  places_.resize(static_cast<std::size_t>(most_frames));
}

Result<AllocationProfile> DumpProfiles::make(std::uint64_t event, const Limits& limits) {
  const auto found = std::ranges::lower_bound(dumps_, event, {}, &EventDump::event);
  if (found == dumps_.end() || found->event != event) return core::make_changed();
  const auto fits = check_memory(found->process->frames.count(), count_rows(*found->dump),
                                 profile_.strings.memory(), limits);
  if (!fits) return std::unexpected(fits.error());
  return DumpConverter(profile_.strings, *found->process, places_).convert(*found->dump);
}

Result<AllocationProfile> TraceProfiles::make(const formats::Trace& trace, Format format, std::uint64_t event,
                                              const Limits& limits) {
  using chrome::legacy::Remainders;
  const bool is_legacy = format == Format::chrome_legacy;
  std::unique_ptr<DumpProfiles>& meaning = is_legacy ? legacy_ : heaps_v2_;
  if (meaning == nullptr) {
    meaning = std::make_unique<DumpProfiles>(
        is_legacy ? chrome::legacy::to_profile(trace.legacy, Remainders::in_stack).profile
                  : chrome::heaps_v2::to_profile(trace.heaps_v2).profile);
  }
  return meaning->make(event, limits);
}

}  // namespace heapcheck::allocations
