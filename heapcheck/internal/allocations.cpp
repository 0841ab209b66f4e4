#include "heapcheck/internal/allocations.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/chrome/heaps_v2/to_profile.hpp"
#include "convert/chrome/legacy/to_profile.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::internal {
namespace {

namespace chrome = conversion::chrome;

/// Makes the columns of a profile, whose names are kept once.
class ProfileMaker {
 public:
  explicit ProfileMaker(std::string_view root) { add_place(0, root); }

  std::uint32_t add_name(std::string_view name) { return static_cast<std::uint32_t>(names_.intern(name)); }
  void add_place(std::uint32_t caller, std::string_view name) {
    profile_.caller.push_back(caller);
    profile_.frame.push_back(add_name(name));
  }
  AllocationProfile& profile() { return profile_; }

  AllocationProfile take() {
    for (std::uint64_t i = 0; i < names_.count(); ++i)
      profile_.texts.add(names_[static_cast<core::PoolIndex>(i)]);
    return std::move(profile_);
  }

 private:
  core::StringPool names_;
  AllocationProfile profile_;
};

Result<void> check_memory(std::uint64_t places, std::uint64_t rows, std::uint64_t text_bytes,
                          const Limits& limits) {
  constexpr std::uint64_t place_bytes = 2 * sizeof(std::uint32_t);
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

void add_heap(const chrome::Heap& heap, const std::vector<std::uint32_t>& types, std::uint32_t allocator,
              AllocationProfile& profile) {
  for (std::size_t i = 0; i < heap.row_count(); ++i) {
    const auto frame = static_cast<std::uint32_t>(heap.frame[i]);
    profile.place.push_back(heap.frame[i] == chrome::no_frame ? 0 : frame + 1);
    profile.type.push_back(types[static_cast<std::size_t>(heap.type[i])]);
    profile.allocator.push_back(allocator);
    profile.size.push_back(heap.size[i]);
    profile.count.push_back(heap.count[i]);
  }
}

AllocationProfile convert(const core::StringPool& strings, const chrome::Process& process,
                          const chrome::Dump& dump) {
  ProfileMaker maker("(root)");
  const chrome::FrameTree& frames = process.frames;
  for (std::size_t i = 0; i < frames.count(); ++i) {
    const auto parent = static_cast<std::uint32_t>(frames.parent[i]);
    maker.add_place(frames.parent[i] == chrome::no_frame ? 0 : parent + 1, strings[frames.name[i]]);
  }
  std::vector<std::uint32_t> types;
  for (const core::PoolIndex type : process.types) types.push_back(maker.add_name(strings[type]));
  for (const chrome::Heap& heap : dump.heaps)
    add_heap(heap, types, maker.add_name(heap.allocator), maker.profile());
  AllocationProfile profile = maker.take();
  profile.process =
      process.name.empty() ? fmt::to_string(process.pid) : fmt::format("{} {}", process.name, process.pid);
  return profile;
}

Result<AllocationProfile> find(const chrome::Profile& profile, std::uint64_t event, const Limits& limits) {
  for (const chrome::Process& process : profile.processes) {
    for (const chrome::Dump& dump : process.dumps) {
      if (dump.head.index != event) continue;
      const auto fits =
          check_memory(process.frames.count(), count_rows(dump), profile.strings.memory(), limits);
      if (!fits) return std::unexpected(fits.error());
      return convert(profile.strings, process, dump);
    }
  }
  return std::unexpected(Error{ErrorKind::unreadable, "changed while it was being read"});
}

void set_names(const formats::Trace& trace, chrome::Profile& profile) {
  for (chrome::Process& process : profile.processes) {
    const auto name = trace.process_names.find(process.pid);
    if (name != trace.process_names.end()) process.name = name->second;
  }
}

}  // namespace

Result<AllocationProfile> make_allocations(const v8::heapprofile::Profile& profile, const Limits& limits) {
  const v8::heapprofile::Nodes& nodes = profile.nodes;
  const auto fits = check_memory(nodes.count(), nodes.count(), profile.strings.memory(), limits);
  if (!fits) return std::unexpected(fits.error());
  const auto name_of = [&profile](core::PoolIndex name) {
    return name == v8::heapprofile::no_text ? std::string_view() : profile.strings[name];
  };
  ProfileMaker maker(nodes.count() == 0 ? "(root)" : name_of(nodes.function_name[0]));
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    if (i != 0 && row_of(nodes.parent[i]) >= i)
      return std::unexpected(
          Error{ErrorKind::unreadable, fmt::format("node {} does not come after its parent", i)});
    if (i != 0) maker.add_place(static_cast<std::uint32_t>(nodes.parent[i]), name_of(nodes.function_name[i]));
    if (nodes.self_size[i] == 0) continue;
    maker.profile().place.push_back(static_cast<std::uint32_t>(i));
    maker.profile().size.push_back(nodes.self_size[i]);
  }
  return maker.take();
}

Result<AllocationProfile> TraceMeaning::make(const formats::Trace& trace, Format format, std::uint64_t event,
                                             const Limits& limits) {
  using chrome::legacy::Remainders;
  const bool is_legacy = format == Format::chrome_legacy;
  std::optional<chrome::Profile>& meaning = is_legacy ? legacy_ : heaps_v2_;
  if (!meaning) {
    meaning = is_legacy ? chrome::legacy::to_profile(trace.legacy, Remainders::in_stack).profile
                        : chrome::heaps_v2::to_profile(trace.heaps_v2).profile;
    set_names(trace, *meaning);
  }
  return find(*meaning, event, limits);
}

}  // namespace heapcheck::internal
