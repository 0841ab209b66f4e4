#include "cli/check/other_file.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/progress.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

bool is_called_dump(std::filesystem::path path, const std::string& consumer) {
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  const std::string extension = path.extension().string();
  return std::ranges::any_of(all_formats(), [&](Format format) {
    const auto extensions = extensions_of(format);
    return std::ranges::find(extensions, extension) != extensions.end() &&
           (consumer.empty() || reads_format(consumer, format));
  });
}

}  // namespace

bool is_other_file(const InputFile& file, bool is_of_unknown_format, const std::string& consumer) {
  return !file.named && (is_of_unknown_format || count_bytes(file.path) == 0) &&
         !is_called_dump(file.path, consumer);
}

}  // namespace heapcheck::cli
