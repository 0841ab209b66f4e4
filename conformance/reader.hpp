// Runs a program that reads files, as anybody would from a shell, and tells what it did.
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
  refuses,  ///< any other
  crashes,  ///< ended by a signal
  hangs,    ///< was still running after its time
};

/// "accepts", "refuses", "crashes", "hangs".
std::string_view name_of(Answer answer);

struct ExternalReader {
  std::string command;  ///< for the shell; `{}` in it stands for the file
  std::chrono::milliseconds time;
};

/// What `reader` does with the file at `path`; else why it could not be started.
std::expected<Answer, std::string> ask(const ExternalReader& reader, const std::filesystem::path& path);

}  // namespace heapcheck::conformance
