#include "cli/check/check_files.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/check/cache.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

namespace heapcheck::cli {
namespace {

using Take = std::function<bool(CheckedFile&)>;

/// Puts the results of several threads in order.
class InOrder {
 public:
  InOrder(std::size_t most_waiting, const Take& take) : most_waiting_(most_waiting), take_(take) {}

  /// Hands over the file at `index` once all files before it have been handed over. Blocks while too many
  /// files are waiting.
  void put(std::size_t index, CheckedFile file) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return is_stopped_ || index < next_ + most_waiting_; });
    waiting_.emplace(index, std::move(file));
    while (!is_stopped_ && !waiting_.empty() && waiting_.begin()->first == next_) {
      is_stopped_ = !take_(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++next_;
    }
    has_room_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    has_room_.notify_all();
  }
  [[nodiscard]] bool is_stopped() {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::map<std::size_t, CheckedFile> waiting_;
  std::size_t next_ = 0;
  std::size_t most_waiting_;
  bool is_stopped_ = false;
  const Take& take_;
};

/// The total size of all targets in bytes; 0 if the size of one of them is unknown.
std::uint64_t count_all_bytes(std::span<const InputFile> targets) {
  std::uint64_t total = 0;
  for (const InputFile& target : targets) {
    const auto size = count_bytes(target.path);
    if (!size) return 0;
    total += *size;
  }
  return total;
}

/// Runs `work` on several threads, including this one.
template <class Work>
void run_on_threads(std::size_t count, const Work& work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() + 1 < count) threads.emplace_back(work);
  } catch (const std::system_error&) {
    print_error("cannot start more threads; continuing with fewer");
  }
  work();
}

/// The number of threads for each file: all of them if there is only one file.
unsigned count_threads(unsigned jobs, std::size_t file_count) {
  return static_cast<unsigned>(std::max<std::size_t>(jobs / std::max<std::size_t>(file_count, 1), 1));
}

CheckedFile read_and_check(const InputFile& target, ValidateOptions options, bool finds_lines,
                           Progress& progress) {
  options.read.on_read = progress.counter();
  const auto start = std::chrono::steady_clock::now();
  CheckedFile file{target, validate(target.path, options), {}};
  if (finds_lines && target.path != "-" && !file.report.findings.empty())
    file.lines = find_lines(target.path, file.report, {.limits = options.read.limits});
  file.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return file;
}

/// Returns the kept report if the file was checked before; otherwise, checks the file.
CheckedFile check_file(const InputFile& target, const ValidateOptions& options, const CheckOptions& all,
                       Progress& progress) {
  if (all.cache == nullptr) return read_and_check(target, options, all.finds_lines, progress);
  const auto key = all.cache->find_key(target.path, options, all.finds_lines);
  if (!key) return read_and_check(target, options, all.finds_lines, progress);
  if (auto kept = all.cache->find(*key, target, options)) {
    if (const auto count = progress.counter()) count(count_bytes(target.path).value_or(0));
    return std::move(*kept);
  }
  CheckedFile file = read_and_check(target, options, all.finds_lines, progress);
  // A file that changed while it was being read has a different key now.
  const auto later = all.cache->find_key(target.path, options, all.finds_lines);
  if (later && later->text == key->text) all.cache->keep(*key, file);
  return file;
}

}  // namespace

unsigned count_shares(unsigned jobs, std::size_t file_count) {
  const auto files = static_cast<unsigned>(std::clamp<std::size_t>(file_count, 1, jobs));
  return count_threads(jobs, file_count) < 2 ? files : 2 * files;
}

void check_files(std::span<const InputFile> targets, const CheckOptions& options, const Take& take) {
  constexpr std::size_t most_waiting_per_job = 16;
  InOrder in_order(most_waiting_per_job * options.jobs, take);
  Progress progress(options.shows_progress ? count_all_bytes(targets) : 0, options.shows_progress);
  const unsigned threads = count_threads(options.jobs, targets.size());
  const auto check = [&](const InputFile& target) {
    ValidateOptions file_options = options.options_for(target.path);
    file_options.read.limits.max_threads = threads;
    return check_file(target, file_options, options, progress);
  };
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> is_out_of_memory = false;
  run_on_threads(std::min<std::size_t>(options.jobs, targets.size()), [&] {
    try {
      for (std::size_t i = next++; i < targets.size() && !in_order.is_stopped(); i = next++)
        in_order.put(i, check(targets[i]));
    } catch (const std::bad_alloc&) {
      // An exception must not leave its thread, so it is passed on to the caller.
      is_out_of_memory = true;
      in_order.stop();
    }
  });
  if (is_out_of_memory) throw std::bad_alloc();
}

}  // namespace heapcheck::cli
