#include "cli/check/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/about/build.hpp"
#include "cli/system/files.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

/// What changes if a file does: it also has the time of the last change of its status, which programs cannot
/// set.
std::string identify(const struct stat& status) {
  return fmt::format("{}:{} {} bytes, {}.{:09} {}.{:09}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

/// The version alone does not tell two builds of a developer apart.
std::string identify_program() {
  struct stat status{};
  const bool is_known = ::stat("/proc/self/exe", &status) == 0;
  return fmt::format("{}\n{}{}\n", version(), describe_build(), is_known ? identify(status) : "");
}

void append_list(std::string_view name, const std::vector<std::string>& list, std::string& text) {
  for (const std::string& item : list) fmt::format_to(std::back_inserter(text), "{} {}\n", name, item);
}

std::string describe_options(const ValidateOptions& options, bool finds_lines) {
  const Limits& limits = options.read.limits;
  std::string text =
      fmt::format("for {}\nmax-per-rule {}\nmax-memory {}\nmax-expanded {}\nlines {}\n", options.reader,
                  options.max_per_rule, limits.max_memory, limits.max_expanded.value_or(0), finds_lines);
  append_list("select", options.select, text);
  append_list("ignore", options.ignore, text);
  append_list("severity", options.severity, text);
  return text;
}

/// File systems count time in steps of up to two seconds: a file that was changed just now could be changed
/// again within the same step.
bool is_changed_just_now(const struct stat& status) {
  constexpr std::time_t longest_step = 2;
  return status.st_mtim.tv_sec > std::time(nullptr) - longest_step;
}

}  // namespace

Cache::Cache(std::string folder) : folder_(std::move(folder)), program_(identify_program()) {}

Result<Cache> Cache::open(const std::string& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return std::unexpected(Error{ErrorKind::unwritable, "cannot be created: " + code.message()});
  const fs::path path = fs::canonical(folder, code);
  if (code || !fs::is_directory(path, code))
    return std::unexpected(Error{ErrorKind::unwritable, "is a file, expected a folder"});
  if (::access(path.c_str(), W_OK | X_OK) != 0)
    return std::unexpected(
        Error{ErrorKind::unwritable, "cannot be written: " + std::generic_category().message(errno)});
  return Cache(path.string());
}

std::optional<Cache::Key> Cache::find_key(const std::string& path, const ValidateOptions& options,
                                          bool finds_lines) const {
  struct stat status{};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (is_changed_just_now(status)) return std::nullopt;
  std::error_code code;
  const std::string lasting = fmt::format("{}\n{}", fs::absolute(path, code).lexically_normal().string(),
                                          describe_options(options, finds_lines));
  return Key{.name = fmt::format("{:016x}.report", std::hash<std::string>()(lasting)),
             .text = program_ + identify(status) + '\n' + lasting};
}

std::optional<CheckedFile> Cache::find(const Key& key, const InputFile& target,
                                       const ValidateOptions& options) const {
  const auto text = read_file((fs::path(folder_) / key.name).string());
  if (!text) return std::nullopt;
  return restore_report(*text, key.text, target, options.reader);
}

void Cache::keep(const Key& key, const CheckedFile& file) const {
  const bool is_final = file.report.format || file.report.is_of_unknown_format;
  if (!is_final || file.report.count_limits() != 0 || file.report.verdict == Verdict::undecided) return;
  const std::string text = store_report(key.text, file);
  // A report quotes its dump, which may hold secrets.
  auto output =
      core::OutputFile::create((fs::path(folder_) / key.name).string(), {.mode = 0600, .is_durable = false});
  // Without an entry, the next run reads the file again.
  [[maybe_unused]] const bool is_kept = output && output->write(core::as_bytes(text)) && output->commit();
}

bool Cache::contains(const std::string& path) const {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code code;
  const fs::path folder = fs::canonical(parent.empty() ? "." : parent, code);
  return !code && folder == folder_;
}

}  // namespace heapcheck::cli
