// heapcheck validate: checks files, folders and standard input.
#include "validate/validate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/version.hpp"
#include "validate/report/json.hpp"
#include "validate/report/text.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::vector<std::string> paths;
  std::string output = "text";
  std::string output_file;
  std::string fail_level = "error";
  std::string color = "auto";
  std::string consumer;
  std::uint64_t max_per_rule = 20;
  std::uint64_t max_memory = 0;
  std::uint64_t max_expanded = 0;
  unsigned jobs = 0;
  bool quiet = false;
  bool no_progress = false;
};

/// A file to check, and whether it was named or found in a folder.
struct Target {
  std::string path;
  bool named = true;
};

struct Checked {
  Target target;
  Report report;
};

/// The regular files below a folder, in the order of their paths.
std::vector<Target> walk(const std::string& folder, std::string& error) {
  std::vector<Target> found;
  std::error_code code;
  for (auto it = fs::recursive_directory_iterator(folder, code);
       !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    if (it->is_regular_file(code)) found.push_back({it->path().string(), false});
  }
  if (code) error = fmt::format("cannot be walked: {}", code.message());
  std::ranges::sort(found, {}, &Target::path);
  return found;
}

/// Bytes of all targets together; 0 where one of them is no file of known size.
std::uint64_t count_bytes(const std::vector<Target>& targets) {
  std::uint64_t total = 0;
  for (const Target& target : targets) {
    std::error_code code;
    const auto size = fs::file_size(target.path == "-" ? "/dev/stdin" : target.path, code);
    if (code) return 0;
    total += size;
  }
  return total;
}

Report check_target(const Target& target, const validation::Options& options, Progress& progress) {
  auto source = target.path == "-" ? Result<std::unique_ptr<core::ByteSource>>(core::open_standard_input())
                                   : core::open_file(target.path);
  if (!source) {
    Report report;
    report.error = std::move(source.error().message);
    return report;
  }
  return validation::check_source(progress.watch(std::move(*source)), options);
}

/// Checks all targets on `jobs` threads; the results keep the order of the targets.
std::vector<Checked> check_all(std::vector<Target> targets, const validation::Options& options, unsigned jobs,
                               bool shows_progress) {
  std::vector<Checked> checked(targets.size());
  std::atomic<std::size_t> next = 0;
  Progress progress(count_bytes(targets), shows_progress);
  const auto work = [&] {
    for (std::size_t i = next++; i < targets.size(); i = next++) {
      checked[i] = {targets[i], check_target(targets[i], options, progress)};
    }
  };
  std::vector<std::jthread> threads;
  try {
    for (unsigned i = 1; i < jobs && i < targets.size(); ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
    print_error("the system gives no more threads; those there are check all files");
  }
  work();
  threads.clear();
  return checked;
}

int status_of(const Report& report, Severity fail_level) {
  if (!report.format) return unreadable;
  if (report.count_limits() != 0) return undecided;
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    if (severity >= fail_level && report.count(severity) != 0) return findings;
  }
  return sound;
}

Severity parse_level(const std::string& level) {
  if (level == "note") return Severity::note;
  return level == "warning" ? Severity::warning : Severity::error;
}

validation::v8::heapsnapshot::consumers::Consumer consumer_of(const Settings& settings) {
  return validation::v8::heapsnapshot::consumers::find_consumer(settings.consumer)
      .value_or(validation::v8::heapsnapshot::consumers::Consumer::none);
}

std::string make_report(const Settings& settings, const std::vector<Checked>& checked) {
  if (settings.output == "json") {
    std::vector<validation::report::NamedReport> files;
    for (const Checked& file : checked) files.push_back({file.target.path, &file.report});
    return validation::report::make_json(version, files, consumer_of(settings));
  }
  std::string text;
  const bool color = settings.output_file.empty() ? wants_color(settings.color) : settings.color == "always";
  for (const Checked& file : checked) {
    validation::report::append_text(text, file.target.path, file.report, {color});
  }
  return text;
}

/// The files to check: what was named, with each folder's files in its place.
struct Expansion {
  std::vector<Target> targets;
  std::vector<Checked> failed;  ///< folders that give nothing to check
};

Expansion expand(const std::vector<std::string>& paths, const std::string& output_file) {
  Expansion expansion;
  for (const std::string& path : paths) {
    std::error_code code;
    if (path == "-" || !fs::is_directory(path, code)) {
      expansion.targets.push_back({path});
      continue;
    }
    Checked failed{{path}, {}};
    auto found = walk(path, failed.report.error);
    // What an earlier run reported stands among the dumps, and is written anew.
    std::erase_if(found, [&](const Target& target) { return is_same_file(target.path, output_file); });
    if (found.empty() && failed.report.error.empty()) failed.report.error = "is a folder without files";
    if (!failed.report.error.empty()) expansion.failed.push_back(std::move(failed));
    expansion.targets.insert(expansion.targets.end(), found.begin(), found.end());
  }
  return expansion;
}

/// Whether a file is called a dump, compressed or not; with a consumer, one that all of them read.
bool is_called_dump(fs::path path, bool has_consumer) {
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  const fs::path extension = path.extension();
  if (extension == ".heapsnapshot" || extension == ".heaptimeline") return true;
  return !has_consumer && (extension == ".mvmheap" || extension == ".heapprofile");
}

/// Files of other kinds in a walked folder are passed over; says how many there were. What is called a dump
/// and has nothing of one is damaged.
std::size_t drop_strangers(std::vector<Checked>& checked, bool has_consumer) {
  return std::erase_if(checked, [has_consumer](const Checked& file) {
    return !file.target.named && file.report.is_of_unknown_format &&
           !is_called_dump(file.target.path, has_consumer);
  });
}

/// Says of folders in which nothing was left to check that they have no heap dump.
void add_empty_folders(const std::vector<std::string>& paths, std::vector<Checked>& checked) {
  std::error_code code;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path, code)) continue;
    checked.push_back({{path}, {}});
    checked.back().report.error = "is a folder without heap dumps";
  }
}

/// Whether the report would replace a file that is to be checked.
bool would_replace_input(const Settings& settings, const std::vector<Target>& targets) {
  std::error_code code;
  return !settings.output_file.empty() && std::ranges::any_of(targets, [&](const Target& target) {
    const fs::path path = target.path == "-" ? "/dev/stdin" : target.path;
    return fs::is_regular_file(path, code) && fs::equivalent(path, settings.output_file, code);
  });
}

validation::Options make_options(const Settings& settings) {
  validation::Options options;
  options.max_per_rule = settings.max_per_rule;
  options.reader.consumer = consumer_of(settings);
  if (settings.max_memory != 0) options.limits.max_memory = settings.max_memory;
  if (settings.max_expanded != 0) options.limits.max_expanded = settings.max_expanded;
  return options;
}

void print_strangers(const Settings& settings, std::size_t count) {
  if (count == 0 || settings.quiet) return;
  const std::string none =
      settings.consumer.empty() ? "no known format" : "no format for " + settings.consumer;
  print_error(fmt::format("{} file{} of {} passed over", count, count == 1 ? "" : "s", none));
}

int run_validate(const Settings& settings) {
  Expansion expansion = expand(settings.paths, settings.output_file);
  if (std::ranges::count(settings.paths, "-") > 1) {
    print_error("- stands for standard input, which can be read once");
    return usage;
  }
  if (would_replace_input(settings, expansion.targets)) {
    print_error(settings.output_file + ": is to be checked, the report cannot replace it");
    return usage;
  }
  const unsigned jobs =
      settings.jobs != 0 ? settings.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<Checked> checked =
      check_all(std::move(expansion.targets), make_options(settings), jobs, !settings.no_progress);
  const std::size_t strangers = drop_strangers(checked, !settings.consumer.empty());
  print_strangers(settings, strangers);
  if (strangers != 0 && checked.empty()) add_empty_folders(settings.paths, checked);
  for (Checked& folder : expansion.failed) checked.push_back(std::move(folder));

  int status = sound;
  for (const Checked& file : checked)
    status = std::max(status, status_of(file.report, parse_level(settings.fail_level)));
  if (settings.quiet && settings.output_file.empty()) return status;
  return write_output(settings.output_file, make_report(settings, checked)) ? status
                                                                            : static_cast<int>(usage);
}

}  // namespace

Run add_validate(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("validate", "Check heap dumps against their format and its rules");
  command->add_option("PATH", settings->paths, "Files to check; - is standard input, a folder is walked")
      ->required();
  command->add_option("--output", settings->output, "Form of the report (default: text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("text|json");
  command
      ->add_option("--output-file", settings->output_file,
                   "Write the report here instead of to standard output")
      ->type_name("FILE");
  command
      ->add_option("--fail-level", settings->fail_level,
                   "Least severity that makes the exit status 1 (default: error)")
      ->check(CLI::IsMember({"error", "warning", "note"}))
      ->option_text("error|warning|note");
  command
      ->add_option("--max-per-rule", settings->max_per_rule,
                   "Findings of one rule that are described; the rest is counted (default: 20)")
      ->check(CLI::Range(0U, 10000U))
      ->option_text("N");
  const auto consumers = validation::v8::heapsnapshot::consumers::consumer_names();
  command
      ->add_option("--for", settings->consumer,
                   "Check also what this reader needs beyond the format (default: none)")
      ->check(CLI::IsMember(std::vector<std::string>(consumers.begin(), consumers.end())))
      ->option_text(fmt::format("{}", fmt::join(consumers, "|")));
  command->add_option("--jobs", settings->jobs, "Files to check at the same time (default: one a core)")
      ->check(CLI::Range(1U, 256U))
      ->option_text("N");
  add_limit_options(*command, settings->max_memory, settings->max_expanded);
  command->add_flag("--quiet", settings->quiet, "Print no report; the exit status says it all");
  command->add_flag("--no-progress", settings->no_progress,
                    "Do not say how far reading has come; a terminal is told where it takes long");
  command->add_option("--color", settings->color, "When to colour the text (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("auto|always|never");
  return [settings] { return run_validate(*settings); };
}

}  // namespace heapcheck::cli
