// Property: a profile made up from the input's bytes is written, in either format, as a trace in which
// nothing is found, which means the same unless the writer names losses, and is written as the same bytes
// again.
#include <array>
#include <map>
#include <tuple>

#include "formats/registry_trace_writer.hpp"
#include "fuzz/chrome/read_profile.hpp"
#include "fuzz/support/made_models.hpp"
#include "fuzz/support/sound.hpp"

using namespace heapcheck;
using formats::Format;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Names = std::vector<std::string_view>;
/// Sizes and counts of what is not empty, by process, dump, allocator, stack and type.
using Values = std::map<std::tuple<std::int64_t, std::string, std::string, Names, std::string_view>,
                        std::pair<std::uint64_t, std::uint64_t>>;

/// What a dump is called, by process and dump: of those in which there is a heap.
using Heads = std::map<std::pair<std::int64_t, std::string>, std::array<std::string, 5>>;

Names list_stack(const chrome::Profile& profile, const chrome::FrameTree& frames, chrome::FrameIndex frame) {
  Names names;
  for (; frame != chrome::no_frame; frame = frames.parent[static_cast<std::size_t>(frame)]) {
    names.push_back(profile.strings[frames.name[static_cast<std::size_t>(frame)]]);
  }
  return names;
}

Values list_values(const chrome::Profile& profile) {
  Values values;
  for (const auto& [pid, name, frames, types, dumps] : profile.processes) {
    for (const chrome::Dump& dump : dumps) {
      for (const chrome::Heap& heap : dump.heaps) {
        for (std::size_t row = 0; row < heap.row_count(); ++row) {
          if (heap.size[row] == 0 && heap.count[row] == 0) continue;
          const auto type = profile.strings[types[static_cast<std::size_t>(heap.type[row])]];
          values[{pid, dump.head.id, heap.allocator, list_stack(profile, frames, heap.frame[row]), type}] = {
              heap.size[row], heap.count[row]};
        }
      }
    }
  }
  return values;
}

Heads list_heads(const chrome::Profile& profile) {
  Heads heads;
  for (const chrome::Process& process : profile.processes) {
    for (const auto& [head, heaps] : process.dumps) {
      if (heaps.empty()) continue;
      heads[{process.pid, head.id}] = {process.name, head.name, head.category, head.timestamp,
                                       head.level_of_detail};
    }
  }
  return heads;
}

/// The bytes, and whether they mean the same.
std::pair<Bytes, bool> write(const chrome::Profile& profile, Format format) {
  const auto writer = formats::make_trace_writer(format, profile, {}, {});
  require(writer.has_value(), "either format can hold it");
  core::MemorySink out;
  require(formats::write_trace(**writer, out).has_value(), "memory takes what is written");
  return {out.bytes(), (*writer)->losses().empty()};
}

void check_format(const chrome::Profile& profile, Format format) {
  const auto [bytes, is_lossless] = write(profile, format);
  fuzz::require_sound(bytes, format);
  const chrome::Profile again = fuzz::read_profile(bytes);
  require(!is_lossless || list_values(again) == list_values(profile), "it means the same");
  require(list_heads(again) == list_heads(profile), "dumps are called the same");
  require(write(again, format).first == bytes, "it is written as the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const chrome::Profile profile = fuzz::make_trace_profile({data, size});
  check_format(profile, Format::heaps_v2);
  check_format(profile, Format::chrome_legacy);
  return 0;
}
