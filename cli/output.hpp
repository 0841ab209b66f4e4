// Writes the result of a command to standard output, or to a file that appears under its final name once it
// is complete.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/output/json_writer.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {

/// Output that is written in pieces, either to standard output or to a file that appears under its final name
/// once it is complete. Prints an error if something fails.
class Output {
 public:
  enum class State : std::uint8_t {
    open,
    closed,  ///< standard output is a pipe that its reader has closed, which is not an error
    failed,
  };

  enum class Mode : std::uint8_t { replace, append };

  /// Opens the file at `path`, or standard output if `path` is empty. A file to which output is appended has
  /// its final name from the beginning.
  explicit Output(std::string path, Mode mode = Mode::replace);

  /// Writes `text`, unless an earlier write failed.
  State write(std::string_view text);
  /// Gives the file its final name. If this is never called, no file remains. Returns whether everything was
  /// written.
  bool finish();
  [[nodiscard]] State state() const { return state_; }

 private:
  State check(const Result<void>& done);

  std::string path_;
  std::optional<core::OutputFile> file_;
  State state_ = State::open;
};

/// Writes `text` to `path`, or to standard output if `path` is empty. If that fails, prints an error to
/// standard error and returns false. It is not an error if standard output is a pipe that its reader has
/// closed.
bool write_output(const std::string& path, std::string_view text, Output::Mode mode = Output::Mode::replace);

/// Returns whether both paths exist and lead to the same file, directly or through links.
bool is_same_file(const std::string& a, const std::string& b);

/// Returns whether standard output is the regular file at `path` (`-` means standard input). If it is, an
/// answer would overwrite the very dump it describes. Compares devices and inodes, so links, /dev/fd/N and
/// bind mounts are recognised.
bool is_standard_output(const std::string& path);

/// If standard output is the input file, prints an error and returns true.
bool complain_if_standard_output(const std::string& input);

using core::show_path;

/// Writes "heapcheck: TEXT" to standard error as one line, with control characters escaped. If writing to
/// standard error fails, the text is lost.
void print_error(std::string_view text);

/// Prints an error about a file: "heapcheck: PATH: WHY". If the path is empty, prints an error saying so
/// instead.
void print_file_error(const std::string& path, std::string_view why);

/// Writes text to standard error unchanged.
void print_note(std::string_view text);

/// Returns whether to use colours on standard output, based on `--color` (auto, always or never) and, for
/// auto, on NO_COLOR, FORCE_COLOR and the terminal, in this order.
bool wants_color(const std::string& mode);

/// A JSON document that consists of one object; `write` writes its members.
template <class Write>
std::string make_json_document(const Write& write) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  write(json);
  json.end_object();
  return out + "\n";
}

/// Writes members whose values are numbers.
inline void write_numbers(core::JsonWriter& json,
                          std::initializer_list<std::pair<std::string_view, std::uint64_t>> members) {
  for (const auto& [key, value] : members) json.member(key, value);
}

}  // namespace heapcheck::cli
