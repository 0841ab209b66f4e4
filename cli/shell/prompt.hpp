// Reads the lines that a user types or a script contains. Ctrl-C interrupts what the shell is doing, but does
// not end the shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

/// The maximum delay before Ctrl-C is noticed. The signal does not reliably interrupt a blocking call,
/// because any thread may receive it.
inline constexpr std::chrono::milliseconds interrupt_pause{50};

/// Makes Ctrl-C have no effect other than that was_interrupted() returns true.
void catch_interrupts();

/// Returns whether Ctrl-C has been pressed since the last call to forget_interrupt().
bool was_interrupted();
void forget_interrupt();

/// Waits until standard input has bytes or ends. Returns false if Ctrl-C was pressed before that.
bool wait_for_input();

/// Waits until there is a value. Returns false if Ctrl-C was pressed before that.
template <class T>
bool wait_for(const std::future<T>& future) {
  while (future.wait_for(interrupt_pause) == std::future_status::timeout) {
    if (was_interrupted()) return false;
  }
  return true;
}

/// Returns the possible completions of the last word in `before`, which is the line up to the cursor.
using Completer = std::function<std::vector<std::string>(std::string_view before)>;

/// Reads lines from standard input.
class LineReader {
 public:
  LineReader() = default;
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  virtual ~LineReader() = default;

  /// The next line without its line end. The line is empty if Ctrl-C cleared it. Returns nothing at the end
  /// of the input, and after an error.
  virtual std::optional<std::string> read() = 0;
  /// The value of errno if standard input could not be read to its end, and otherwise 0.
  [[nodiscard]] int error() const { return error_; }
  /// Sets what the tab key does, if this reader supports it.
  virtual void complete_with(const Completer& /*completer*/) {}

 protected:
  /// Reads at most `bytes.size()` bytes. Returns 0 at the end of the input and after an error, which error()
  /// then returns, and nothing after Ctrl-C.
  std::optional<std::size_t> read_some(std::span<char> bytes);

 private:
  int error_ = 0;
};

/// Reads lines as they are, after printing `prompt`.
std::unique_ptr<LineReader> make_plain_reader(std::string prompt);

/// Makes a reader that lets users edit lines and keeps earlier lines in memory. Call this before entering the
/// sandbox, because it reads the description of the terminal.
std::unique_ptr<LineReader> make_editor(std::string prompt);

}  // namespace heapcheck::cli
