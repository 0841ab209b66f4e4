#include "export/profiles/collapsed.hpp"

#include <ranges>
#include <string>

#include "export/buffer.hpp"
#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::exports::profiles {
namespace {

/// A name as one part of a line.
std::string escape_frame(std::string_view name) {
  if (name.empty()) return "(anonymous)";
  std::string text(name);
  for (char& letter : text) {
    if (letter == ';') letter = ':';
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  }
  return text;
}

/// Appends the frames of a stack from the outermost on.
void append_stack(const AllocationProfile& profile, const std::vector<std::uint32_t>& places,
                  std::string& text) {
  for (const std::uint32_t at : places | std::views::reverse) {
    if (at != places.back()) text += ';';
    text += escape_frame(profile.texts[profile.frame[at]]);
  }
}

}  // namespace

Result<Written> write_collapsed(const StacksInput& input, core::ByteSink& sink) {
  const std::vector<std::uint64_t> sizes = add_up_places(input.profile).size;
  Stacks stacks(input.profile);
  Written written{.amounts = {{.what = "stacks"}, {.what = "bytes"}}};
  Buffer buffer(sink);
  for (std::uint32_t place = 0; place < sizes.size() && buffer.flush_if_full(); ++place) {
    if (sizes[place] == 0) continue;
    const auto places = stacks.from(place);
    if (!places) return std::unexpected(places.error());
    append_stack(input.profile, *places, buffer.pending);
    buffer.pending += ' ' + std::to_string(sizes[place]) + '\n';
    ++written.amounts[0].count;
    written.amounts[1].count = core::saturating_add(written.amounts[1].count, sizes[place]);
  }
  if (auto done = buffer.finish(); !done) return std::unexpected(done.error());
  return written;
}

}  // namespace heapcheck::exports::profiles
