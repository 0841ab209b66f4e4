#include "cli/system/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>

#include "cli/commands.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::cli {
namespace {

/// Memory allowed in addition to the limit, for buffers, decoder windows, stacks and reports.
constexpr std::uint64_t other_memory = std::uint64_t{48} << 20;
/// A thread reserves its whole stack but uses only a little of it.
constexpr std::uint64_t stack_memory = std::uint64_t{8} << 20;

#ifdef HEAPCHECK_SANITIZED
constexpr bool reserves_terabytes = true;  // sanitizers reserve that much
#else
constexpr bool reserves_terabytes = false;
#endif

/// From now on, allocations fail if they would bring the private memory of the process above `byte_count`.
void cap_memory(std::uint64_t byte_count) {
  rlimit limit{};
  if (reserves_terabytes || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>({byte_count, limit.rlim_cur, limit.rlim_max});
  ::setrlimit(RLIMIT_DATA, &limit);
}

extern "C" void on_alarm(int /*number*/) {
  constexpr std::string_view text = "heapcheck: the time limit was reached, so nothing is decided\n";
  core::remove_pending_outputs();
  // The exit status conveys the same information, so nothing is lost if this fails.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(undecided);
}

}  // namespace

Limits make_limits(const Values& values) {
  Limits limits;
  // A long run of zeros is parsed as 0, which means no limit.
  if (const auto size = values.get<std::uint64_t>("max-memory"); size != 0) limits.max_memory = size;
  if (const auto size = values.get<std::uint64_t>("max-expanded"); size != 0) limits.max_expanded = size;
  // A server has no time limit, because it would end even while nothing is asked.
  const auto time = values.has("timeout") ? values.find<std::uint64_t>("timeout") : std::nullopt;
  if (time) limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(*time);
  return limits;
}

void enforce_memory(const Limits& limits, unsigned shares, unsigned threads) {
  if (limits.max_memory < INT64_MAX / shares - other_memory - stack_memory * threads)
    cap_memory(shares * (limits.max_memory + other_memory) + stack_memory * threads);
}

void enforce_deadline(const Limits& limits) {
  constexpr unsigned grace = 2;  // the seconds allowed for writing the report
  if (!limits.deadline) return;
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(*limits.deadline - std::chrono::steady_clock::now());
  std::signal(SIGALRM, on_alarm);
  ::alarm(static_cast<unsigned>(std::max<std::int64_t>(left.count(), 0)) + grace);
}

Reading make_reading(const Values& values) {
  const bool is_quiet = values.has("quiet") && values.get<bool>("quiet");
  return {.limits = make_limits(values),
          .is_quiet = is_quiet,
          .shows_progress = !is_quiet && !values.get<bool>("no-progress"),
          .has_sandbox = values.get<std::string>("sandbox") == "on"};
}

std::string describe_system_error(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return "cannot start a thread: the limit on threads (`ulimit -u`) or on memory is reached";
}

void begin_reading(const Reading& reading, const Access& access) {
  enforce_memory(reading.limits);
  enforce_deadline(reading.limits);
  if (reading.has_sandbox) enter_sandbox(access);
}

}  // namespace heapcheck::cli
