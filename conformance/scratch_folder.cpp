#include "conformance/scratch_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace heapcheck::conformance {

ScratchFolder::ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::expected<ScratchFolder, std::string> ScratchFolder::create(const std::filesystem::path& front) {
  std::string name = front.string() + "-XXXXXX";
  if (::mkdtemp(name.data()) != nullptr) return ScratchFolder(name);
  const std::string why = std::error_code(errno, std::generic_category()).message();
  return std::unexpected(fmt::format("no folder can be created next to {}: {}", front.string(), why));
}

}  // namespace heapcheck::conformance
