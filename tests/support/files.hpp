// Reads files for tests, from the corpus or elsewhere, and creates folders that are removed when a test ends.
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

namespace heapcheck::tests {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

inline const fs::path root = HEAPCHECK_SOURCE_DIR;

/// Returns the content of a file, which is empty if the file does not exist.
inline std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads a file in corpus/, which must exist: `mvmheap/v1/seed/moar-2017.08-small.txt`.
inline std::string read_corpus(const std::string& name) {
  const fs::path path = root / "corpus" / name;
  REQUIRE(fs::is_regular_file(path));
  return read(path);
}

inline Bytes read_corpus_bytes(const std::string& name) {
  const std::string text = read_corpus(name);
  return {text.begin(), text.end()};
}

/// A separate folder for each test, which is removed afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "heapcheck-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }

  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

}  // namespace heapcheck::tests
