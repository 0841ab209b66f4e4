// A progress bar: one line that is shown on standard error if standard error is a terminal and reading takes
// a long time. The line is erased before anything else is printed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace heapcheck::cli {

/// The size in bytes of the file at `path`, or of standard input for `-`; nothing if the size is unknown, as
/// for a pipe.
std::optional<std::uint64_t> count_bytes(const std::string& path);

/// Whether the terminal, if there is one, understands control sequences, as almost all do. Terminals inside
/// editors may not; their type is `dumb`.
bool can_move_cursor();

/// Erases the line if there is one and puts the cursor at its start.
void erase_progress();

/// Determines what the line says and when it is written.
class ProgressLine {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// The number of characters that fit in the line.
  using CountColumns = std::size_t (*)();

  /// `total` is the number of bytes to read, or 0 if that is unknown. Bytes beyond `total` mean that the
  /// input is being read a second time.
  ProgressLine(std::uint64_t total, Time start, CountColumns count_columns);

  /// Counts bytes that have been read. Returns the line if it should be written now.
  [[nodiscard]] std::optional<std::string> add(std::uint64_t byte_count, Time now);
  /// The line for the end of a source, because any further work on its content is not counted. Returns
  /// nothing if no line has been written yet.
  [[nodiscard]] std::optional<std::string> end_source(Time now);
  /// Makes sure that nothing is written from now on.
  void stop();

 private:
  std::string write(Time now);

  std::uint64_t total_;
  std::uint64_t read_ = 0;
  bool is_again_ = false;  ///< whether everything has been read once
  bool is_shown_ = false;
  Time start_;  ///< when the current pass over the input started
  Time next_;   ///< when to write the line again
  CountColumns count_columns_;
};

/// Counts the bytes that were read and shows the line. Several threads may share one object, which must
/// outlive them.
class Progress {
 public:
  /// `total` has the same meaning as for ProgressLine.
  Progress(std::uint64_t total, bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Counts bytes that have been read.
  void add(std::uint64_t byte_count);
  /// Updates the line at the end of a source, because any further work on its content is not counted.
  void end_source();

  /// Erases the line and does not show it again.
  void stop();

  /// The function that the library must call with the number of bytes after each read. Empty if no line is
  /// shown.
  [[nodiscard]] std::function<void(std::uint64_t byte_count)> counter();

 private:
  static void show(const std::optional<std::string>& text);

  std::mutex mutex_;
  bool is_wanted_;
  ProgressLine line_;
};

}  // namespace heapcheck::cli
