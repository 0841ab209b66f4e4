#include "formats/core/text/source_path.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view separators = "/\\";

}  // namespace

bool is_absolute(std::string_view file) {
  const bool has_drive = file.size() > 2 && file[1] == ':' && separators.contains(file[2]);
  return file.starts_with('/') || has_drive || file.contains("://");
}

std::string_view last_parts(std::string_view file, std::size_t count) {
  std::size_t start = file.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (start == 0) return file;
    const std::size_t separator = file.find_last_of(separators, start - 1);
    if (separator == std::string_view::npos) return file;
    start = separator;
  }
  return file.substr(start + 1);
}

}  // namespace heapcheck::core
