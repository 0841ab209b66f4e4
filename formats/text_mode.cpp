#include "formats/text_mode.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "formats/core/source.hpp"
#include "formats/core/transport/text_mode_source.hpp"

namespace heapcheck::formats {
namespace {

/// With this many line feeds, it is practically impossible that carriage returns precede them by chance.
constexpr std::uint64_t enough_line_feeds = 16;
/// The share of line feeds that may lack a carriage return, because a dump may also be damaged.
constexpr std::uint64_t line_feeds_per_damaged = 16;

struct LineFeeds {
  std::uint64_t all = 0;
  std::uint64_t after_carriage_return = 0;

  [[nodiscard]] bool are_of_text_mode() const {
    const std::uint64_t bare = all - after_carriage_return;
    return after_carriage_return != 0 && bare * line_feeds_per_damaged <= all;
  }
};

LineFeeds count_line_feeds(std::string_view bytes) {
  LineFeeds count;
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    ++count.all;
    count.after_carriage_return += at != 0 && bytes[at - 1] == '\r' ? 1U : 0U;
  }
  return count;
}

/// Whether the dump in the window can be read without errors.
bool is_readable(core::Window& window, const mvmheap::Version& version, Limits limits) {
  limits.max_threads = 1;
  core::SilentSink silent;
  core::Tally tally(silent);
  const auto reader = version.make_reader(window, limits, tally);
  while (tally.clean() && reader->read_part() != nullptr) continue;
  return tally.clean();
}

bool is_readable_as_written(core::ByteSpan file, const mvmheap::Version& version, const Limits& limits) {
  core::MemorySource source(file);
  core::Window window(source);
  return is_readable(window, version, limits);
}

bool is_readable_as_text(core::ByteSpan file, const mvmheap::Version& version, const Limits& limits) {
  core::MemorySource source(file);
  core::TextModeSource text_mode(std::make_unique<core::Window>(source));
  core::Window window(text_mode);
  return is_readable(window, version, limits);
}

}  // namespace

bool is_text_mode(core::Window& window, const mvmheap::Version& version, const Limits& limits) {
  if (version.is_text) return false;
  const core::ByteSpan first_bytes = window.look_ahead(core::Window::default_capacity);
  const LineFeeds line_feeds = count_line_feeds(core::as_text(first_bytes));
  if (!line_feeds.are_of_text_mode()) return false;
  const bool is_enough = line_feeds.all >= enough_line_feeds;
  if (first_bytes.size() == core::Window::default_capacity) return is_enough;
  return !is_readable_as_written(first_bytes, version, limits) &&
         (is_enough || is_readable_as_text(first_bytes, version, limits));
}

}  // namespace heapcheck::formats
