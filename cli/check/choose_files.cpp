#include "cli/check/choose_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/config/config.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/system/files.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/parse_number.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> refuse(std::string message) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(message)});
}

/// The paths in a list. They are separated by NULs if the list contains any NULs, and otherwise by line
/// feeds.
std::vector<std::string> split_list(std::string_view list) {
  const char separator = list.find('\0') == std::string_view::npos ? '\n' : '\0';
  std::vector<std::string> paths;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (end != 0) paths.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return paths;
}

Result<std::vector<std::string>> read_list(const std::string& path) {
  const auto list = path == "-" ? read_standard_input() : read_file(path);
  if (!list)
    return refuse(fmt::format("--files-from: the list {} {}", show_path(path), list.error().message));
  return split_list(*list);
}

/// The paths from the arguments and from the list.
Result<std::vector<std::string>> list_paths(const Values& values) {
  std::vector<std::string> paths;
  if (const auto named = values.find<std::vector<std::string>>("PATH")) paths = *named;
  const auto list = values.find<std::string>("files-from");
  if (!list && paths.empty()) return refuse("PATH is missing; see `heapcheck validate --help`");
  const auto uses = std::ranges::count(paths, "-") + (list == "-" ? 1 : 0);
  if (uses > 1) return refuse("found - more than once, but standard input can be read only once");
  if (!list) return paths;
  auto listed = read_list(*list);
  if (!listed) return listed;
  if (std::ranges::count(*listed, "-") != 0)
    return refuse("--files-from: found -, expected the path of a file");
  std::ranges::move(*listed, std::back_inserter(paths));
  return paths;
}

/// The path without redundant parts, such as a leading `./`. Keeps `..`, because the folder before it may be
/// a link. A file called `-` remains distinct from standard input, which is `-`.
std::string simplify(const std::string& path) {
  if (path == "-") return {};
  fs::path simple;
  for (const auto& part : fs::path(path)) {
    if (part != ".") simple /= part;
  }
  return simple.string();
}

/// The same for all paths that lead to one name in one folder. Links have places of their own, because the
/// user gave them other names.
struct Place {
  std::uint64_t device = 0;
  std::uint64_t folder = 0;  ///< its inode; 0 if there is no such folder
  std::string name = {};     ///< in the folder or, if there is no such folder, the path
  auto operator<=>(const Place&) const = default;
};

class PlaceFinder {
 public:
  Place find(const std::string& path) {
    const std::size_t name = path.rfind('/') + 1;  // 0 if there is no slash
    if (path == "-" || name == path.size()) return {.name = simplify(path)};
    enter(name == 0 ? "." : path.substr(0, name));
    if (!is_found_) return {.name = simplify(path)};
    return {.device = status_.st_dev, .folder = status_.st_ino, .name = path.substr(name)};
  }

 private:
  void enter(const std::string& folder) {
    if (folder == folder_) return;  // files in a folder come one after another
    folder_ = folder;
    is_found_ = ::stat(folder.c_str(), &status_) == 0;
  }

  std::string folder_;
  struct stat status_{};
  bool is_found_ = false;
};

/// Keeps only the first of several paths to one file. It counts as named by the user if any of them was.
void drop_repeated(std::vector<InputFile>& targets) {
  PlaceFinder finder;
  std::map<Place, std::size_t> indices;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto [found, is_new] = indices.emplace(finder.find(targets[i].path), kept);
    if (!is_new) {
      targets[found->second].named |= targets[i].named;
    } else {
      if (kept != i) targets[kept] = std::move(targets[i]);
      ++kept;
    }
  }
  targets.resize(kept);
}

Result<void> keep_shard(const std::string& text, FoundFiles& found) {
  const auto shard = parse_shard(text);
  if (!shard) return std::unexpected(shard.error());
  if (std::ranges::count(found.targets, "-", &InputFile::path) != 0)
    return refuse("--shard: found standard input, expected files, because their content is read twice");
  std::erase_if(found.targets,
                [&](const InputFile& file) { return find_shard(file.path, shard->count) != shard->number; });
  if (shard->number != 1) found.failed.clear();
  return {};
}

std::string read_piece(std::ifstream& file, std::uint64_t offset, std::size_t byte_count) {
  std::string piece(byte_count, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(piece.data(), static_cast<std::streamsize>(byte_count));
  piece.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return piece;
}

/// Prints a message if there is nothing to check, for example because a pattern is wrong. Shards are allowed
/// to be empty.
void print_if_empty(const FoundFiles& found, const Values& values) {
  const bool may_be_empty = values.get<bool>("quiet") || values.find<std::string>("shard");
  if (!may_be_empty && found.targets.empty() && found.failed.empty())
    print_error("there are no files to check");
}

bool is_called_dump(fs::path path, const std::string& reader) {
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  const std::string extension = path.extension().string();
  return std::ranges::any_of(all_formats(), [&](Format format) {
    const auto extensions = extensions_of(format);
    return std::ranges::find(extensions, extension) != extensions.end() &&
           (reader.empty() || reads_format(reader, format));
  });
}

bool is_written_to(const InputFile& target, const std::string& output) {
  const fs::path path = target.path == "-" ? "/dev/stdin" : target.path;
  std::error_code code;
  return fs::is_regular_file(path, code) && fs::equivalent(path, output, code);
}

/// The name of the output that would overwrite the file to check, or an empty string if none would.
std::string_view find_output(const WrittenFiles& written, const InputFile& target) {
  if (written.report.empty() ? is_standard_output(target.path) : is_written_to(target, written.report))
    return "report";
  if (!written.baseline.empty() && is_written_to(target, written.baseline)) return "baseline";
  return {};
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = core::parse_number(std::string_view(text).substr(0, slash));
    const auto count = core::parse_number(std::string_view(text).substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count) return Shard{*number, *count};
  }
  return refuse(fmt::format("--shard: found {}, expected I/N, such as 2/8, with I from 1 to N", text));
}

std::uint64_t find_shard(const std::string& path, std::uint64_t shard_count) {
  constexpr std::uint64_t most_bytes = 64 * 1024;
  std::error_code code;
  const std::uint64_t size = fs::file_size(path, code);
  if (code) return 1;  // missing or not a regular file; opening a pipe would block until it has a writer
  std::ifstream file(path, std::ios::binary);
  if (!file) return 1;
  const auto byte_count = static_cast<std::size_t>(std::min(size, most_bytes));
  const std::string text = fmt::format("{}:{}{}", size, read_piece(file, 0, byte_count),
                                       read_piece(file, size - byte_count, byte_count));
  const auto hash = ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  return hash % shard_count + 1;
}

Result<FoundFiles> choose_files(const Values& values) {
  const auto paths = list_paths(values);
  if (!paths) return std::unexpected(paths.error());
  FoundFiles found = find_files(*paths);
  drop_repeated(found.targets);
  for (const std::string& pattern : values.get<std::vector<std::string>>("exclude"))
    std::erase_if(found.targets, [&](const InputFile& file) { return matches_path(pattern, file.path); });
  if (const auto shard = values.find<std::string>("shard")) {
    if (auto kept = keep_shard(*shard, found); !kept) return std::unexpected(kept.error());
  }
  print_if_empty(found, values);
  return found;
}

bool is_other_file(const InputFile& file, bool is_of_unknown_format, const std::string& reader) {
  return !file.named && (is_of_unknown_format || count_bytes(file.path) == 0) &&
         !is_called_dump(file.path, reader);
}

void print_skipped(std::size_t count, const std::string& reader) {
  if (count == 0) return;
  const std::string kind = reader.empty() ? "of unknown format" : "that " + reader + " does not read";
  print_error(fmt::format("skipped {} {}", core::counted(count, "file"), kind));
}

std::optional<std::size_t> drop_output(const WrittenFiles& written, const Limits& limits,
                                       std::vector<InputFile>& targets) {
  std::size_t dropped = 0;
  for (auto target = targets.begin(); target != targets.end();) {
    const std::string_view output = find_output(written, *target);
    if (output.empty()) {
      ++target;
      continue;
    }
    // A dump among the targets is never overwritten, even if it was only found in a folder.
    if (target->named || validate(target->path, {.read = {.limits = limits}}).format) {
      print_file_error(
          target->path,
          fmt::format("is one of the files to check, so the {} cannot be written to it", output));
      return std::nullopt;
    }
    target = targets.erase(target);
    ++dropped;
  }
  return dropped;
}

std::vector<std::string> list_folders(const std::vector<std::string>& paths) {
  std::vector<std::string> folders;
  std::error_code code;
  std::ranges::copy_if(paths, std::back_inserter(folders),
                       [&](const std::string& path) { return fs::is_directory(path, code); });
  return folders;
}

}  // namespace heapcheck::cli
