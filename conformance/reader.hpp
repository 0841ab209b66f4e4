// Runs a program on a file through a shell, and reports whether the program accepted the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace heapcheck::conformance {

enum class Answer : std::uint8_t {
  accepts,  ///< exit status 0
  refuses,  ///< any other exit status
  crashes,  ///< ended by a signal
  hangs,    ///< still running after the time limit
};

/// "accepts", "refuses", "crashes", "hangs".
std::string_view name_of(Answer answer);

struct ExternalReader {
  std::string command;  ///< the command for the shell, in which `{}` is replaced by the file name
  std::chrono::milliseconds time;
};

/// Returns the answer of `reader` for the file at `path`, or the reason why `reader` could not be run.
std::expected<Answer, std::string> ask(const ExternalReader& reader, const std::filesystem::path& path);

}  // namespace heapcheck::conformance
