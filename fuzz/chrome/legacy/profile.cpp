// Property: self values that are written without a cut-off are read back unchanged, except that the memory of
// leaf frames called `<self>` is assigned to their callers.
#include <map>

#include "convert/chrome/legacy/profile.hpp"
#include "fuzz/chrome/legacy/small_profile.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;
using fuzz::require;

namespace {

/// Bytes plus 2^32 for each object, by stack and type.
using Values = std::map<std::pair<std::string, std::string>, std::uint64_t>;

Values list_values(const conversion::chrome::Profile& profile) {
  Values values;
  const auto& [pid, name, frames, types, dumps] = profile.processes.at(0);
  const conversion::chrome::Heap& heap = dumps.at(0).heaps.at(0);
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    std::string stack;
    for (conversion::chrome::FrameIndex at = heap.frame[row]; at != conversion::chrome::no_frame;
         at = frames.parent[static_cast<std::size_t>(at)]) {
      stack.insert(0, "/" + std::string(profile.strings[frames.name[static_cast<std::size_t>(at)]]));
    }
    const std::uint64_t value = heap.size[row] + (heap.count[row] << 32);
    if (value != 0)
      values[{stack, std::string(profile.strings[types[static_cast<std::size_t>(heap.type[row])]])}] += value;
  }
  return values;
}

/// Moves the memory of leaf frames called `<self>` to their callers until there are no such frames left.
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
  const conversion::chrome::Profile profile =
      fuzz::make_small_profile({data, std::min<std::size_t>(size, 300)});
  const auto written = conversion::chrome::legacy::from_profile(profile, {}, fuzz::make_limits());
  require(written.has_value(), "a small profile fits");
  const Values read = list_values(conversion::chrome::legacy::to_profile(written->model).profile);
  require(read == fold_self(list_values(profile)), "self values are the same");
  return 0;
}
