#include "cli/system/files.hpp"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

/// Adds the regular files in a folder to `found` and its subfolders to `folders`. Does not use the standard
/// library's directory iterators, because those of libstdc++ call terminate() when memory runs out.
std::error_code list_folder(const fs::path& folder, FoundFiles& found, std::vector<fs::path>& folders) {
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), ::closedir);
  while (opened) {
    errno = 0;
    const dirent* const entry = ::readdir(opened.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    const fs::path path = folder / name;
    std::error_code code;  // links to folders are not followed, because they could form a cycle
    if (fs::is_directory(fs::symlink_status(path, code))) folders.push_back(path);
    if (fs::is_regular_file(path, code)) found.targets.push_back({path.string(), false});
  }
  if (errno == ENOMEM) throw std::bad_alloc();
  return {errno, std::generic_category()};
}

/// Adds the regular files in a folder and in all folders inside it, and lists the folders that cannot be
/// read.
void walk(const std::string& top, FoundFiles& found) {
  const auto files_before = static_cast<std::ptrdiff_t>(found.targets.size());
  const auto failures_before = static_cast<std::ptrdiff_t>(found.failed.size());
  std::vector<fs::path> folders{top};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    if (const auto code = list_folder(folder, found, folders))
      found.failed.push_back({folder.string(), "the folder cannot be read: " + code.message()});
  }
  const auto first_target = found.targets.begin() + files_before;
  const auto first_failure = found.failed.begin() + failures_before;
  std::ranges::sort(first_target, found.targets.end(), {}, &InputFile::path);
  std::ranges::sort(first_failure, found.failed.end(), {}, &FailedPath::path);
  if (first_target == found.targets.end() && first_failure == found.failed.end())
    found.failed.push_back({top, "the folder contains no files"});
}

std::unexpected<Error> fail(const char* verb) {
  return std::unexpected(
      Error{ErrorKind::unreadable, std::string(verb) + ": " + std::generic_category().message(errno)});
}

Result<std::string> read_to_end(std::FILE* file, std::size_t most) {
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (std::feof(file) == 0) {
    text.append(piece.data(), std::fread(piece.data(), 1, piece.size(), file));
    if (std::ferror(file) != 0) return fail("cannot be read");
    if (text.size() > most)
      return std::unexpected(Error{ErrorKind::unsupported, fmt::format("found more than {} bytes", most)});
  }
  return text;
}

}  // namespace

FoundFiles find_files(const std::vector<std::string>& paths) {
  FoundFiles found;
  for (const std::string& path : paths) {
    std::error_code code;
    if (path.empty()) {
      found.failed.push_back({path, "the path is empty"});
    } else if (path != "-" && fs::is_directory(path, code)) {
      walk(path, found);
    } else {
      found.targets.push_back({path});
    }
  }
  return found;
}

Result<std::string> read_file(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  return file ? read_to_end(file.get(), most) : fail("cannot be opened");
}

Result<std::string> read_standard_input() { return read_to_end(stdin, SIZE_MAX); }

}  // namespace heapcheck::cli
