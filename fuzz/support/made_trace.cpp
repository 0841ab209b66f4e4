#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "fuzz/support/choices.hpp"
#include "fuzz/support/made_models.hpp"

namespace heapcheck::fuzz {
namespace {

using namespace chrome;

class ProfileMaker {
 public:
  explicit ProfileMaker(Choices choices) : choices_(choices) {}

  conversion::chrome::Profile make() {
    Different pids{choices_.take_amount(), choices_.take_amount()};
    const std::size_t count = 1 + choices_.below(4);
    for (std::size_t i = 0; i < count; ++i) make_process(static_cast<std::int64_t>(pids.next()));
    return std::move(profile_);
  }

 private:
  void make_process(std::int64_t pid) {
    conversion::chrome::Process& process = profile_.processes.emplace_back();
    process.pid = pid;
    constexpr std::size_t longest = 1000;  // reading truncates longer names
    if (choices_.take_bool()) process.name = choices_.take_name().substr(0, longest);
    make_types(process);
    make_frames(process.frames);
    for (std::size_t count = 1 + choices_.below(3); count != 0; --count) make_dump(process);
  }

  core::PoolIndex take_text() { return profile_.strings.intern(choices_.take_name()); }

  void make_types(conversion::chrome::Process& process) {
    std::set<core::PoolIndex> seen;
    for (std::size_t count = 1 + choices_.below(20); count != 0; --count) {
      const core::PoolIndex name = take_text();
      if (seen.insert(name).second) process.types.push_back(name);
    }
  }

  /// Makes a tree with both long chains and frames that have many callees.
  void make_frames(conversion::chrome::FrameTree& frames) {
    std::set<std::pair<conversion::chrome::FrameIndex, core::PoolIndex>> seen;
    for (std::size_t count = choices_.below(100); count != 0; --count) {
      // If there are no frames, this is no_frame, which is the largest number.
      const auto last = static_cast<std::uint32_t>(frames.count()) - 1;
      const bool is_deep = choices_.take_bool() || frames.count() == 0;
      const conversion::chrome::FrameIndex parent =
          is_deep ? conversion::chrome::FrameIndex{last} : take_frame(frames);
      const core::PoolIndex name = take_text();
      if (!seen.emplace(parent, name).second) continue;
      frames.parent.push_back(parent);
      frames.name.push_back(name);
    }
  }
  /// Returns any frame or none. no_frame is the largest number, which comes before 0.
  conversion::chrome::FrameIndex take_frame(const conversion::chrome::FrameTree& frames) {
    return static_cast<conversion::chrome::FrameIndex>(
        choices_.below(static_cast<std::size_t>(frames.count()) + 1) - 1);
  }

  void make_dump(conversion::chrome::Process& process) {
    conversion::chrome::Dump& dump = process.dumps.emplace_back();
    EventHead& head = dump.head;
    head.index = ++event_count_;
    head.phase = "v";
    head.name = choices_.take_name();
    head.category = choices_.take_name();
    head.id = fmt::format("0x{:x}", event_count_);
    head.timestamp = std::to_string(choices_.take_amount());
    head.pid = process.pid;
    if (choices_.take_bool()) head.tid = static_cast<std::int64_t>(choices_.take_amount());
    if (choices_.take_bool()) head.level_of_detail = "detailed";
    std::set<std::string> seen;
    for (std::size_t count = choices_.below(4); count != 0; --count) {
      std::string allocator = choices_.take_bool() ? "malloc" : choices_.take_name();
      if (seen.insert(allocator).second) dump.heaps.push_back(make_heap(process, std::move(allocator)));
    }
  }

  conversion::chrome::Heap make_heap(const conversion::chrome::Process& process, std::string allocator) {
    conversion::chrome::Heap heap;
    heap.allocator = std::move(allocator);
    std::set<std::pair<conversion::chrome::FrameIndex, conversion::chrome::TypeIndex>> seen;
    constexpr std::uint64_t largest = UINT64_MAX - 1;  // the largest value of the legacy format
    Shares sizes{largest};
    Shares counts{largest};
    for (std::size_t rows = choices_.below(100); rows != 0; --rows) {
      const conversion::chrome::FrameIndex frame = take_frame(process.frames);
      const auto type = static_cast<conversion::chrome::TypeIndex>(choices_.below(process.types.size()));
      if (!seen.emplace(frame, type).second) continue;
      heap.frame.push_back(frame);
      heap.type.push_back(type);
      heap.size.push_back(sizes.take(choices_));
      heap.count.push_back(std::min(counts.take(choices_), heap.size.back()));  // more would violate a rule
    }
    return heap;
  }

  Choices choices_;
  conversion::chrome::Profile profile_;
  std::uint64_t event_count_ = 0;
};

}  // namespace

conversion::chrome::Profile make_trace_profile(core::ByteSpan bytes) {
  return ProfileMaker(Choices(bytes)).make();
}

}  // namespace heapcheck::fuzz
