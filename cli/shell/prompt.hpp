// Reads the lines that people type or that a script has.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

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
  /// Sets what the tab key does, if it does anything.
  virtual void complete_with(const Completer& /*completer*/) {}
};

/// Reads lines as they are, after printing `prompt`.
std::unique_ptr<LineReader> make_plain_reader(std::string prompt);

/// Lets people edit lines, and keeps earlier ones in memory. Call this before entering the sandbox, because
/// it reads the description of the terminal.
std::unique_ptr<LineReader> make_editor(std::string prompt);

}  // namespace heapcheck::cli
