#include "cli/check/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "formats/core/text/counted.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

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

/// What is to be written to the file that is to be checked; empty if nothing is.
std::string_view find_output(const WrittenFiles& written, const InputFile& target) {
  if (written.report.empty() ? is_standard_output(target.path) : is_written_to(target, written.report))
    return "report";
  if (!written.baseline.empty() && is_written_to(target, written.baseline)) return "baseline";
  return {};
}

}  // namespace

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
