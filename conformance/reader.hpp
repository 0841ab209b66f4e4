// Runs a program on a file, through a shell, and reports whether it accepted the file.
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
  hangs,    ///< was still running after the time limit
};

/// "accepts", "refuses", "crashes", "hangs".
std::string_view name_of(Answer answer);

struct ExternalReader {
  std::string command;  ///< for the shell; `{}` is replaced by the file name
  std::chrono::milliseconds time;
};

/// Returns the answer of `reader` about the file at `path`, or the reason why it could not be run.
std::expected<Answer, std::string> ask(const ExternalReader& reader, const std::filesystem::path& path);

}  // namespace heapcheck::conformance
