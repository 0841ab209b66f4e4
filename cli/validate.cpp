// heapcheck validate: checks files, folders and standard input.
#include "heapcheck/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/system/find_files.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "formats/core/counted.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::vector<std::string> paths;
  std::string output;
  std::string output_file;
  std::string fail_level;
  std::string color;
  std::string consumer;
  std::uint64_t max_per_rule = 0;
  Limits limits;
  unsigned jobs = 0;
  bool quiet = false;
  bool no_progress = false;
  bool has_sandbox = true;
};

struct Checked {
  Target target;
  Report report;
};

/// The total size of all targets in bytes; 0 if the size of one of them is unknown.
std::uint64_t count_all_bytes(const std::vector<Target>& targets) {
  std::uint64_t total = 0;
  for (const Target& target : targets) {
    const auto size = count_bytes(target.path);
    if (!size) return 0;
    total += *size;
  }
  return total;
}

/// Checks all targets on `jobs` threads; the results keep the order of the targets. Throws std::bad_alloc if
/// there is no memory even for the report on a file.
std::vector<Checked> check_all(std::vector<Target> targets, ValidateOptions options, unsigned jobs,
                               bool shows_progress) {
  std::vector<Checked> checked(targets.size());
  std::atomic<std::size_t> next = 0;
  Progress progress(count_all_bytes(targets), shows_progress);
  options.read.on_read = progress.counter();
  std::atomic<bool> out_of_memory = false;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < targets.size(); i = next++)
        checked[i] = {targets[i], validate(targets[i].path, options)};
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
  };
  std::vector<std::jthread> threads;
  try {
    for (unsigned i = 1; i < jobs && i < targets.size(); ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
    print_error("cannot start more threads; continuing with fewer");
  }
  work();
  threads.clear();
  if (out_of_memory) throw std::bad_alloc();
  return checked;
}

int status_of(const Report& report, Severity fail_level) {
  if (report.verdict == Verdict::undecided) return undecided;
  if (!report.format) return unreadable;
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    if (severity >= fail_level && report.count(severity) != 0) return findings;
  }
  return sound;
}

Severity parse_level(const std::string& level) {
  if (level == "note") return Severity::note;
  return level == "warning" ? Severity::warning : Severity::error;
}

std::string make_report(const Settings& settings, const std::vector<Checked>& checked) {
  if (settings.output == "json") {
    std::vector<NamedReport> files;
    for (const Checked& file : checked) files.push_back({file.target.path, &file.report});
    return make_json(files, settings.consumer);
  }
  std::string text;
  const bool color = settings.output_file.empty() ? wants_color(settings.color) : settings.color == "always";
  for (const Checked& file : checked) {
    text += make_text({file.target.path.empty() ? "''" : file.target.path, &file.report}, color);
  }
  return text;
}

/// Returns whether the path has the extension of a dump, which may be followed by that of a compressed file.
/// If there is a consumer, only the extensions of formats that every consumer can read are accepted.
bool is_called_dump(fs::path path, bool has_consumer) {
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  const std::string extension = path.extension().string();
  return std::ranges::any_of(all_formats(), [&](Format format) {
    const auto extensions = extensions_of(format);
    return std::ranges::find(extensions, extension) != extensions.end() &&
           (!has_consumer || format == Format::v8_heapsnapshot);
  });
}

bool is_empty_file(const Checked& file) { return !file.report.format && count_bytes(file.target.path) == 0; }

/// Removes from `checked` the files that were found in a folder and are not heap dumps, and returns how many
/// there were. A file with the extension of a dump is kept, because it is presumably a damaged dump.
std::size_t drop_skipped(std::vector<Checked>& checked, bool has_consumer) {
  return std::erase_if(checked, [has_consumer](const Checked& file) {
    return !file.target.named && (file.report.is_of_unknown_format || is_empty_file(file)) &&
           !is_called_dump(file.target.path, has_consumer);
  });
}

void add_failures(std::vector<FailedPath>& failed, std::vector<Checked>& checked) {
  for (FailedPath& path : failed) {
    checked.push_back({{std::move(path.path)}, {}});
    checked.back().report.error = std::move(path.why);
  }
}

/// Reports folders that contain no heap dump.
void add_empty_folders(const std::vector<std::string>& paths, std::vector<Checked>& checked) {
  std::error_code code;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path, code)) continue;
    checked.push_back({{path}, {}});
    checked.back().report.error = "the folder contains no heap dumps";
  }
}

/// Returns whether the report goes to this file.
bool is_output(const Settings& settings, const Target& target) {
  if (settings.output_file.empty()) return is_standard_output(target.path);
  const fs::path path = target.path == "-" ? "/dev/stdin" : target.path;
  std::error_code code;
  return fs::is_regular_file(path, code) && fs::equivalent(path, settings.output_file, code);
}

/// Returns whether the report would overwrite the target, and if so, prints an error about that.
bool would_overwrite(const Settings& settings, const Target& target) {
  if (!is_output(settings, target)) return false;
  print_file_error(target.path, "is one of the files to check, so the report cannot be written to it");
  return true;
}

/// Removes the file for the report from `checked` if it was found in a folder and is not a dump: it was just
/// created by the shell, or contains the report of an earlier run. Returns the number of removed files.
std::size_t drop_output(const Settings& settings, std::vector<Checked>& checked) {
  return std::erase_if(checked, [&](const Checked& file) {
    return !file.target.named && !file.report.format && is_output(settings, file.target);
  });
}

Access list_access(const Settings& settings, const std::vector<Target>& targets) {
  Access access{.output = settings.output_file};
  for (const Target& target : targets) access.inputs.push_back(target.path);
  return access;
}

ValidateOptions make_options(const Settings& settings) {
  return {.reader = settings.consumer,
          .max_per_rule = settings.max_per_rule,
          .read = {.limits = settings.limits}};
}

void print_skipped(const Settings& settings, std::size_t count) {
  if (count == 0 || settings.quiet) return;
  const std::string kind =
      settings.consumer.empty() ? "of unknown format" : "that " + settings.consumer + " does not read";
  print_error(fmt::format("skipped {} {}", core::counted(count, "file"), kind));
}

/// The status that a user must act on first. A file that cannot be read does not hide findings in another.
int find_status(const std::vector<Checked>& checked, Severity fail_level) {
  for (const int status : {findings, undecided, unreadable}) {
    if (std::ranges::any_of(
            checked, [&](const Checked& file) { return status_of(file.report, fail_level) == status; }))
      return status;
  }
  return sound;
}

int run(const Settings& settings) {
  FoundFiles found = find_files(settings.paths);
  if (std::ranges::count(settings.paths, "-") > 1) {
    print_error("found - more than once, but standard input can be read only once");
    return usage;
  }
  const auto is_overwritten = [&](const Target& target) { return would_overwrite(settings, target); };
  if (std::ranges::any_of(found.targets,
                          [&](const Target& target) { return target.named && is_overwritten(target); }))
    return usage;
  enforce(settings.limits, settings.jobs);
  if (settings.has_sandbox) enter_sandbox(list_access(settings, found.targets));
  std::vector<Checked> checked =
      check_all(std::move(found.targets), make_options(settings), settings.jobs, !settings.no_progress);
  const std::size_t dropped = drop_output(settings, checked);
  if (std::ranges::any_of(checked, is_overwritten, &Checked::target)) return usage;
  const std::size_t skipped = drop_skipped(checked, !settings.consumer.empty());
  print_skipped(settings, skipped);
  if (skipped + dropped != 0 && checked.empty()) add_empty_folders(settings.paths, checked);
  add_failures(found.failed, checked);

  const int status = find_status(checked, parse_level(settings.fail_level));
  if (settings.quiet && settings.output_file.empty()) return status;
  return write_output(settings.output_file, make_report(settings, checked)) ? status
                                                                            : static_cast<int>(usage);
}

Settings make_settings(const Values& values) {
  const auto output_file = values.get<std::string>("output-file");
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return {.paths = values.get<std::vector<std::string>>("PATH"),
          .output = values.get<std::string>("output"),
          .output_file = output_file == "-" ? "" : output_file,
          .fail_level = values.get<std::string>("fail-level"),
          .color = values.get<std::string>("color"),
          .consumer = values.get<std::string>("for"),
          .max_per_rule = values.get<std::uint64_t>("max-per-rule"),
          .limits = make_limits(values),
          .jobs = static_cast<unsigned>(values.find<std::uint64_t>("jobs").value_or(cores)),
          .quiet = values.get<bool>("quiet"),
          .no_progress = values.get<bool>("no-progress"),
          .has_sandbox = values.get<std::string>("sandbox") == "on"};
}

}  // namespace

int run_validate(const Values& values) { return run(make_settings(values)); }

}  // namespace heapcheck::cli
