#include "tests/project/source_tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heapcheck::tests::project {
namespace {

namespace fs = std::filesystem;

const fs::path source_folder = HEAPCHECK_SOURCE_DIR;

/// Returns whether the folder is a build folder or belongs to a tool (.git, .cache).
bool is_skipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name.starts_with(".");
}

std::string_view after_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::vector<std::string> find_files(std::string_view folder, std::string_view ending) {
  std::vector<std::string> found;
  const fs::path top = source_folder / folder;
  if (!fs::is_directory(top)) return found;
  for (auto entry = fs::recursive_directory_iterator(top); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && is_skipped(entry->path())) entry.disable_recursion_pending();
    if (!entry->is_regular_file() || !entry->path().filename().string().ends_with(ending)) continue;
    found.push_back(entry->path().lexically_relative(source_folder).generic_string());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> find_code() {
  std::vector<std::string> found;
  for (const std::string_view folder : code_folders) {
    for (const std::string_view ending : {".cpp", ".hpp"}) {
      for (auto& path : find_files(folder, ending)) found.push_back(std::move(path));
    }
  }
  return found;
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(source_folder / path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

std::vector<Include> find_includes(const std::string& file, const std::vector<std::string>& lines) {
  constexpr std::string_view keyword = "include";
  std::vector<Include> found;
  for (const std::string& line : lines) {
    std::string_view rest = after_blanks(line);
    if (!rest.starts_with('#')) continue;
    rest = after_blanks(rest.substr(1));
    if (!rest.starts_with(keyword)) continue;
    rest = after_blanks(rest.substr(keyword.size()));
    if (!rest.starts_with('"') && !rest.starts_with('<')) continue;
    const std::size_t end = rest.find(rest[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos) continue;
    const bool quoted = rest[0] == '"';
    std::string target(rest.substr(1, end - 1));
    if (quoted && is_below(target, "heapcheck")) target.insert(0, "include/");
    found.push_back({file, std::move(target), quoted});
  }
  return found;
}

}  // namespace heapcheck::tests::project
