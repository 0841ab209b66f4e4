#include "export/writers.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyze/stacks.hpp"
#include "export/buffer.hpp"
#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::exports::profiles {
namespace {

/// Escapes the description of a frame so that it is one part of a line.
std::string escape_frame(std::string_view description) {
  std::string text = core::make_utf8(description);
  for (char& letter : text) {
    if (letter == ';') letter = ':';
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  }
  return text;
}

/// More bytes than any program reads. Each line contains the full names of its frames, so a small dump with
/// long names could fill a disk.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;

/// Writes the stacks of a profile as lines, and counts the bytes of these lines. Borrows the profile and the
/// sink.
class Lines {
 public:
  Lines(const AllocationProfile& profile, core::ByteSink& sink)
      : profile_(&profile), names_(profile.frames.size()), buffer_(sink) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> counts;
    for (const StackFrame& frame : profile.frames) ++counts[{frame.name, frame.script, frame.line}];
    for (const StackFrame& frame : profile.frames)
      needs_column_.push_back(counts[{frame.name, frame.script, frame.line}] > 1);
  }

  /// Writes a stack, starting with the outermost frame. Errors: any error of the sink; limit.
  Result<void> add(const std::vector<std::uint32_t>& places, std::uint64_t size) {
    for (const std::uint32_t at : places | std::views::reverse) {
      if (at != places.back()) append(";");
      append(name_of(profile_->frame[at]));
      if (!buffer_.flush_if_full()) return buffer_.done();
      if (byte_count_ > most_bytes)
        return std::unexpected(
            Error{ErrorKind::limit, fmt::format("the lines have more than {} bytes in total", most_bytes)});
    }
    append(' ' + std::to_string(size) + '\n');
    return {};
  }
  Result<void> finish() { return buffer_.finish(); }

 private:
  /// Most frames are in many stacks, so their names are kept. A column is shown only if it is needed to
  /// distinguish functions on the same line, because viewers show only the first few characters of each
  /// frame's name.
  std::string_view name_of(std::uint32_t frame) {
    if (names_[frame].empty()) {
      StackFrame shown = profile_->frames[frame];
      if (!needs_column_[frame]) shown.column = 0;
      names_[frame] = escape_frame(describe_frame(*profile_, shown));
    }
    return names_[frame];
  }
  void append(std::string_view text) {
    byte_count_ += text.size();
    buffer_.pending += text;
  }

  const AllocationProfile* profile_;
  std::vector<std::string> names_;  // by frame; empty until the frame is first used
  std::vector<bool> needs_column_;  // by frame
  Buffer buffer_;
  std::uint64_t byte_count_ = 0;
};

}  // namespace

Result<Written> write_collapsed(const StacksInput& input, core::ByteSink& sink) {
  const std::vector<std::uint64_t> sizes = add_up_places(input.profile).size;
  if (auto checked = check_stacks(input.profile); !checked) return std::unexpected(checked.error());
  Written written{.amounts = {{.what = "stacks"}, {.what = "bytes"}}};
  Lines lines(input.profile, sink);
  for (std::uint32_t place = 0; place < sizes.size(); ++place) {
    if (sizes[place] == 0) continue;
    if (auto done = lines.add(analyze::find_stack(input.profile, place), sizes[place]); !done)
      return std::unexpected(done.error());
    ++written.amounts[0].count;
    written.amounts[1].count = core::saturating_add(written.amounts[1].count, sizes[place]);
  }
  if (auto done = lines.finish(); !done) return std::unexpected(done.error());
  return written;
}

}  // namespace heapcheck::exports::profiles
