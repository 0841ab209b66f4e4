#include "export/profiles/collapsed.hpp"

#include <fmt/format.h>

#include <ranges>
#include <string>

#include "export/buffer.hpp"
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

/// The bytes at each place itself.
std::vector<std::uint64_t> add_sizes(const AllocationProfile& profile) {
  std::vector<std::uint64_t> sizes(profile.caller.size());
  for (std::size_t i = 0; i < profile.place.size(); ++i)
    sizes[profile.place[i]] = core::saturating_add(sizes[profile.place[i]], profile.size[i]);
  return sizes;
}

/// The number of frames in all lines together that no real profile has: a chain of N calls takes up N * N / 2
/// of them.
constexpr std::uint64_t most_frames = std::uint64_t{1} << 28U;

/// Appends the frames of a place from the outermost on. The root is left out, unless it is the place itself.
/// Returns their number.
std::uint64_t append_stack(const AllocationProfile& profile, std::uint32_t place, std::string& text) {
  std::vector<std::uint32_t> places = {place};
  while (profile.caller[places.back()] != 0) places.push_back(profile.caller[places.back()]);
  for (const std::uint32_t at : places | std::views::reverse) {
    if (at != places.back()) text += ';';
    text += escape_frame(profile.texts[profile.frame[at]]);
  }
  return places.size();
}

}  // namespace

Result<Written> write_collapsed(const StacksInput& input, core::ByteSink& sink) {
  const std::vector<std::uint64_t> sizes = add_sizes(input.profile);
  Written written{.amounts = {{.what = "stacks"}, {.what = "bytes"}}};
  Buffer buffer(sink);
  std::uint64_t frames = 0;
  for (std::uint32_t place = 0; place < sizes.size() && buffer.flush_if_full(); ++place) {
    if (sizes[place] == 0) continue;
    frames += append_stack(input.profile, place, buffer.pending);
    if (frames > most_frames)
      return std::unexpected(
          Error{ErrorKind::limit, fmt::format("the stacks have more than {} frames in total", most_frames)});
    buffer.pending += ' ' + std::to_string(sizes[place]) + '\n';
    ++written.amounts[0].count;
    written.amounts[1].count = core::saturating_add(written.amounts[1].count, sizes[place]);
  }
  if (auto done = buffer.finish(); !done) return std::unexpected(done.error());
  return written;
}

}  // namespace heapcheck::exports::profiles
