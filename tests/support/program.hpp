// Running heapcheck as a user does: commands of a shell, what they print and leave behind, and folders of
// their own for them.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/catch.hpp"

namespace heapcheck::tests {

namespace fs = std::filesystem;

inline const fs::path root = HEAPCHECK_SOURCE_DIR;
inline const std::string sound_dump = (root / "corpus/mvmheap/v3/seed/moar-2022.12-nqp.mvmheap").string();
inline const std::string sound_profile = (root / "corpus/v8/heapprofile/seed/small.heapprofile").string();

struct Outcome {
  int status = -1;
  std::string out;  ///< standard output, and standard error where the command joins them
};

inline Outcome run_shell(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), pipe)) != 0;)
    outcome.out.append(buffer, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

/// Runs a shell command in which `heapcheck` is the program under test.
inline Outcome run(const std::string& command) {
  return run_shell("heapcheck() { " HEAPCHECK_PROGRAM " \"$@\"; }; " + command);
}

inline std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder of its own for each test, gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "heapcheck-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }

  [[nodiscard]] std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace heapcheck::tests
