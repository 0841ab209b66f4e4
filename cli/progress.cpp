#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace heapcheck::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience{1000};  // no progress is shown for work that takes less time
constexpr std::chrono::milliseconds pause{200};      // the time between two updates
constexpr std::string_view erase_line = "\r\x1b[K";

std::atomic<bool> has_line = false;  // one for the whole process, because it has only one terminal

std::string describe_size(std::uint64_t byte_count) {
  constexpr double megabyte = 1e6;
  const double megabytes = static_cast<double>(byte_count) / megabyte;
  return megabytes < 1000 ? fmt::format("{:.0f} MB", megabytes) : fmt::format("{:.1f} GB", megabytes / 1000);
}

/// `, 40 s left` or `, 3 min left`, estimated from the time that this share has taken; an empty string if it
/// is too early to tell.
std::string describe_rest(double share, double seconds) {
  constexpr double least_share = 0.02;
  if (share < least_share || share >= 1) return {};
  const double rest = seconds / share - seconds;
  constexpr double minute = 60;
  return rest < 2 * minute ? fmt::format(", {:.0f} s left", std::ceil(rest))
                           : fmt::format(", {:.0f} min left", std::ceil(rest / minute));
}

/// The text before the progress.
constexpr std::string_view line_start = "heapcheck: ";

/// How many characters fit after it. The last column stays empty, because some terminals move to the next
/// line as soon as it is written.
std::size_t count_columns() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return is_known ? size.ws_col - std::min<std::size_t>(size.ws_col, line_start.size() + 1) : SIZE_MAX;
}

/// `[#####---------------]  25 % of 5.0 GB read, 40 s left`, or `1.2 GB read`. In a narrow terminal, leaves
/// out the bar and then all but the percentage, because a line that is wrapped cannot be erased.
std::string describe(std::uint64_t read, std::uint64_t total, bool is_again, double seconds,
                     std::size_t columns) {
  if (total == 0) return describe_size(read) + " read";
  constexpr std::size_t width = 20;
  const double share = std::min(1.0, static_cast<double>(read) / static_cast<double>(total));
  const auto full = static_cast<std::size_t>(share * width);
  const std::string bar = fmt::format("[{}{}] ", std::string(full, '#'), std::string(width - full, '-'));
  const std::string percent = fmt::format("{:3.0f} %", share * 100);
  const std::string rest = describe_rest(share, seconds);
  std::string text =
      fmt::format("{} of {} read{}{}", percent, describe_size(total), is_again ? " again" : "", rest);
  if (bar.size() + text.size() <= columns) return bar + text;
  if (text.size() <= columns) return text;
  return percent.size() + rest.size() <= columns ? percent + rest : percent;
}

}  // namespace

std::optional<std::uint64_t> count_bytes(const std::string& path) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path == "-" ? "/dev/stdin" : path, code);
  return code ? std::nullopt : std::optional<std::uint64_t>(size);
}

bool can_move_cursor() {
  const char* const terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) != "dumb";
}

void erase_progress() {
  if (has_line.exchange(false)) fmt::print(stderr, "{}", erase_line);
}

ProgressLine::ProgressLine(std::uint64_t total, Time start, CountColumns count_columns)
    : total_(total), start_(start), next_(start + patience), count_columns_(count_columns) {}

std::optional<std::string> ProgressLine::add(std::uint64_t byte_count, Time now) {
  const bool starts_again = total_ != 0 && byte_count > total_ - std::min(read_, total_);
  if (starts_again) {
    read_ = 0;
    start_ = now;
  }
  is_again_ = is_again_ || starts_again;
  read_ += byte_count;
  return now >= next_ ? std::optional(write(now)) : std::nullopt;
}

std::optional<std::string> ProgressLine::end_source(Time now) {
  return is_shown_ ? std::optional(write(now)) : std::nullopt;
}

void ProgressLine::stop() {
  is_shown_ = false;
  next_ = Time::max();
}

std::string ProgressLine::write(Time now) {
  is_shown_ = true;
  next_ = now + pause;
  return describe(read_, total_, is_again_, std::chrono::duration<double>(now - start_).count(),
                  count_columns_());
}

Progress::Progress(std::uint64_t total, bool is_wanted)
    : is_wanted_(is_wanted && ::isatty(STDERR_FILENO) == 1 && can_move_cursor()),
      line_(total, Clock::now(), &count_columns) {}

Progress::~Progress() { erase_progress(); }

void Progress::add(std::uint64_t byte_count) {
  const std::scoped_lock lock(mutex_);
  show(line_.add(byte_count, Clock::now()));
}

void Progress::end_source() {
  const std::scoped_lock lock(mutex_);
  show(line_.end_source(Clock::now()));
}

void Progress::stop() {
  const std::scoped_lock lock(mutex_);
  line_.stop();
  erase_progress();
}

void Progress::show(const std::optional<std::string>& text) {
  if (!text) return;
  has_line = true;
  fmt::print(stderr, "{}{}{}", erase_line, line_start, *text);
  std::fflush(stderr);
}

std::function<void(std::uint64_t byte_count)> Progress::counter() {
  if (!is_wanted_) return {};
  return [this](std::uint64_t byte_count) { byte_count == 0 ? end_source() : add(byte_count); };
}

}  // namespace heapcheck::cli
