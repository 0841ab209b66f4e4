// How far reading has come, as one line on the terminal that standard error goes to: nothing where that
// is none, or where reading does not take long. Erased before anything else is printed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace heapcheck::cli {

/// Bytes of the file at `path`, or of standard input for `-`; nothing where nobody knows, as with a pipe.
std::optional<std::uint64_t> count_bytes(const std::string& path);

/// Erases the line if there is one. Whatever is printed next begins at the start of it.
void erase_progress();

/// Several threads may count into it. It must outlive them.
class Progress {
 public:
  /// `total` is what there is to read, in bytes; 0 where nobody knows. What is read beyond it is read again.
  Progress(std::uint64_t total, bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Counts bytes that were read.
  void add(std::uint64_t byte_count);
  /// A source has ended: what goes on with its content is not counted, so the line says how far it is now.
  void end_source();

  /// What a library call that reads is given to count into this; empty where nobody wants to know.
  [[nodiscard]] std::function<void(std::uint64_t byte_count)> counter();

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  std::mutex mutex_;
  std::uint64_t total_;
  std::uint64_t read_ = 0;
  bool is_wanted_;
  bool is_again_ = false;  ///< all of it was read once
  bool is_shown_ = false;
  Clock::time_point next_;  ///< when the line is written next
};

}  // namespace heapcheck::cli
