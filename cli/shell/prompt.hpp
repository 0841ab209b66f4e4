// Reads the lines that people type or that a script contains. Ctrl-C interrupts the current work of the
// shell, not the shell itself.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

/// The maximum delay before Ctrl-C is noticed. The signal cannot interrupt a waiting call, because any thread
/// may receive it.
inline constexpr std::chrono::milliseconds interrupt_pause{50};

/// From now on, Ctrl-C only makes was_interrupted() true.
void catch_interrupts();

/// Returns whether Ctrl-C was pressed since the last call of forget_interrupt().
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

/// The words that the end of a line, up to the cursor, may be the start of.
using Completer = std::function<std::vector<std::string>(std::string_view before)>;

/// Reads lines from standard input.
class LineReader {
 public:
  LineReader() = default;
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  virtual ~LineReader() = default;

  /// The next line without its end, which is empty if Ctrl-C cleared it; nothing at the end of the input.
  virtual std::optional<std::string> read() = 0;
  /// Sets the action of the tab key, if this reader supports it.
  virtual void complete_with(const Completer& /*completer*/) {}
};

/// Reads lines as they are, after printing `prompt`.
std::unique_ptr<LineReader> make_plain_reader(std::string prompt);

/// Lets people edit lines, and keeps earlier ones in memory. Call this before entering the sandbox, because
/// it reads the description of the terminal.
std::unique_ptr<LineReader> make_editor(std::string prompt);

}  // namespace heapcheck::cli
