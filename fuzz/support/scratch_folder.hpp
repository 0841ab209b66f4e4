// A folder for the files of one fuzz process, on a memory-backed file system if there is one. The folder and
// all its files are removed when the process ends normally.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "fuzz/support/property.hpp"

namespace heapcheck::fuzz {

class ScratchFolder {
 public:
  ScratchFolder() {
    const std::filesystem::path memory = "/dev/shm";
    std::string name =
        (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
        "heapcheck-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr, "a folder can be created");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string file(std::string_view name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t count_files() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

}  // namespace heapcheck::fuzz
