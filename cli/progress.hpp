// A progress bar: one line on standard error, if that is a terminal and reading takes a long time. It is
// erased before anything else is printed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace heapcheck::cli {

/// The size in bytes of the file at `path`, or of standard input for `-`; nothing if it is unknown, as for a
/// pipe.
std::optional<std::uint64_t> count_bytes(const std::string& path);

/// Erases the line if there is one and puts the cursor at its start.
void erase_progress();

/// Counts the bytes that were read and shows the line. Several threads may use one object, which must outlive
/// them.
class Progress {
 public:
  /// `total` is the number of bytes to read; 0 if it is unknown. Bytes beyond it belong to a second reading.
  Progress(std::uint64_t total, bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Counts bytes that have been read.
  void add(std::uint64_t byte_count);
  /// Updates the line at the end of a source, because any further work on its content is not counted.
  void end_source();

  /// Erases the line, and shows none from now on.
  void stop();

  /// The function that the library must call with each number of bytes read; empty if no line is shown.
  [[nodiscard]] std::function<void(std::uint64_t byte_count)> counter();

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  std::mutex mutex_;
  std::uint64_t total_;
  std::uint64_t read_ = 0;
  bool is_wanted_;
  bool is_again_ = false;  ///< everything has been read once
  bool is_shown_ = false;
  Clock::time_point start_;  ///< of this reading
  Clock::time_point next_;   ///< when to write the line next
};

}  // namespace heapcheck::cli
