// A new folder, which the destructor removes together with its content.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

namespace heapcheck::conformance {

class ScratchFolder {
 public:
  /// Creates a folder with a new name that begins with `front`, or returns one sentence that explains why
  /// that failed.
  static std::expected<ScratchFolder, std::string> create(const std::filesystem::path& front);

  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path);

  std::filesystem::path path_;  // empty after a move
};

}  // namespace heapcheck::conformance
