// Property: self values written without a cut-off read as they were, but for leaf frames called `<self>`,
// which are their callers' memory. The input says which frames there are and what they hold, three bytes
// each.
#include <map>

#include "formats/chrome/legacy/from_profile.hpp"
#include "formats/chrome/legacy/to_profile.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;
using fuzz::require;

namespace {

constexpr std::string_view names[]{"<self>", "<other>", "f", "g"};
/// Bytes, and 2^32 for each object, by stack and type.
using Values = std::map<std::pair<std::string, std::string>, std::uint64_t>;

Profile make_profile(core::ByteSpan bytes) {
  Profile profile;
  Process& process = profile.processes.emplace_back();
  Heap& heap = process.dumps.emplace_back().heaps.emplace_back();
  for (const std::string_view name : names) process.types.push_back(profile.strings.intern(name));
  std::map<std::pair<FrameIndex, core::PoolIndex>, std::uint32_t> frames;
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    const FrameIndex parent{static_cast<std::uint32_t>(bytes[0] % (frames.size() + 1)) - 1};  // or no_frame
    const core::PoolIndex name = process.types[bytes[1] % std::size(names)];
    const auto [frame, is_new] = frames.emplace(std::pair(parent, name), frames.size());
    if (is_new) process.frames.parent.push_back(parent);
    if (is_new) process.frames.name.push_back(name);
    heap.frame.push_back(bytes[1] >= 0xF0 ? no_frame : FrameIndex{frame->second});
    heap.type.push_back(TypeIndex{bytes[2] % 4U});
    heap.size.push_back(bytes[2] / 4 % 8);
    heap.count.push_back(bytes[2] / 32);
  }
  return profile;
}

Values list_values(const Profile& profile) {
  Values values;
  const auto& [pid, name, frames, types, dumps] = profile.processes.at(0);
  const Heap& heap = dumps.at(0).heaps.at(0);
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    std::string stack;
    for (FrameIndex at = heap.frame[row]; at != no_frame; at = frames.parent[static_cast<std::size_t>(at)]) {
      stack.insert(0, "/" + std::string(profile.strings[frames.name[static_cast<std::size_t>(at)]]));
    }
    const std::uint64_t value = heap.size[row] + (heap.count[row] << 32);
    if (value != 0)
      values[{stack, std::string(profile.strings[types[static_cast<std::size_t>(heap.type[row])]])}] += value;
  }
  return values;
}

/// Gives the memory of leaf frames called `<self>` to their callers, until there are none.
Values fold_self(Values values) {
  for (auto at = values.begin(); at != values.end();) {
    const auto [key, value] = *at++;
    const std::string callee = key.first + "/";
    const auto below = values.lower_bound({callee, ""});
    const bool is_caller = below != values.end() && below->first.first.starts_with(callee);
    if (is_caller || !callee.ends_with("/<self>/")) continue;
    values.erase(key);
    values[{key.first.substr(0, key.first.rfind('/')), key.second}] += value;
    at = values.begin();
  }
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Profile profile = make_profile({data, std::min<std::size_t>(size, 300)});
  const auto written = legacy::from_profile(profile, {}, fuzz::make_limits());
  if (!written) return 0;
  const Values read = list_values(legacy::to_profile(written->model).profile);
  require(read == fold_self(list_values(profile)), "self values are the same");
  return 0;
}
