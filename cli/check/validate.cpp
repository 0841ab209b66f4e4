// heapcheck validate: checks files, folders and standard input.
#include "heapcheck/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/check/baseline.hpp"
#include "cli/check/cache.hpp"
#include "cli/check/check_files.hpp"
#include "cli/check/choose_files.hpp"
#include "cli/check/command.hpp"
#include "cli/commands.hpp"
#include "cli/config/config.hpp"
#include "cli/output.hpp"
#include "cli/system/files.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

/// The settings that determine the exit status, besides the fail level of each file.
struct Judgement {
  bool is_undecided_failure = false;  ///< whether an undecided file counts as a failure
  bool is_failure_ignored = false;    ///< whether the status is 0 despite findings
};

struct ValidateSettings {
  std::vector<std::string> paths;
  std::string output_file;
  ReportForm form{};
  Judgement judgement;
  std::string color;
  std::string reader;
  Reading reading;
  bool shows_progress = true;  // also with --quiet, because checking many files takes a long time
  unsigned jobs = 0;
  bool has_statistics = false;
  std::string written_baseline;  // empty if none is written
  std::optional<Baseline> baseline = {};
  std::optional<Cache> cache = {};
};

bool has_findings(const Report& report, Severity least) {
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    if (severity >= least && report.count(severity) != 0) return true;
  }
  return false;
}

/// `is_unchecked_known` states whether it is known that the file cannot be read or checked completely. If so,
/// only the findings in the file count.
int find_status(const Report& report, Severity fail_level, const Judgement& judgement,
                bool is_unchecked_known) {
  if (is_unchecked_known) return has_findings(report, fail_level) ? findings : sound;
  if (report.verdict == Verdict::undecided) return judgement.is_undecided_failure ? findings : undecided;
  if (!report.format) return unreadable;
  return report.fails(fail_level) ? findings : sound;
}

/// The most urgent status. A file that cannot be read does not hide findings in another file.
int worse(int a, int b) {
  for (const int status : {findings, undecided, unreadable}) {
    if (a == status || b == status) return status;
  }
  return sound;
}

Severity parse_level(const std::string& level) {
  if (level == "note") return Severity::note;
  return level == "warning" ? Severity::warning : Severity::error;
}

std::optional<Severity> parse_hidden(const Values& values) {
  const auto level = values.find<std::string>("hide");
  return level ? std::optional(parse_level(*level)) : std::nullopt;
}

CheckedFile make_unread(std::string path, std::string why) {
  CheckedFile file{.target = {std::move(path)}, .report = {}, .lines = {}};
  file.report.error = std::move(why);
  return file;
}

Access list_access(const ValidateSettings& settings, const std::vector<InputFile>& targets) {
  Access access{
      .output = settings.output_file,
      .other_output = settings.written_baseline,
      .folders = settings.cache ? std::vector{settings.cache->folder()} : std::vector<std::string>()};
  for (const InputFile& target : targets) access.inputs.push_back(target.path);
  return access;
}

/// The options for checking a file with these values.
ValidateOptions make_options(const Values& values, const Limits& limits) {
  return {.reader = values.get<std::string>("for"),
          .max_per_rule = values.get<std::uint64_t>("max-per-rule"),
          .select = values.get<std::vector<std::string>>("select"),
          .ignore = values.get<std::vector<std::string>>("ignore"),
          .severity = values.get<std::vector<std::string>>("severity"),
          .hide = parse_hidden(values),
          .read = {.limits = limits}};
}

ReportForm parse_form(const std::string& form) {
  const auto found = std::ranges::find(report_forms, form, &NamedForm::name);
  return found == std::end(report_forms) ? ReportForm::text : found->form;
}

/// Whether the report shows the lines of findings.
bool has_lines(ReportForm form) {
  return form == ReportForm::sarif || form == ReportForm::github || form == ReportForm::gitlab;
}

CheckOptions make_check_options(const ValidateSettings& settings, const Configuration& configuration) {
  // Known findings are removed before the number of the others is limited.
  constexpr std::uint64_t most_with_baseline = 10'000;
  const bool needs_all = settings.baseline || !settings.written_baseline.empty();
  return {.options_for =
              [&, needs_all](const std::string& path) {
                ValidateOptions options =
                    make_options(configuration.values_for(path), settings.reading.limits);
                if (needs_all) options.max_per_rule = most_with_baseline;
                return options;
              },
          .jobs = settings.jobs,
          .finds_lines = has_lines(settings.form),
          .shows_progress = settings.shows_progress,
          .cache = settings.cache ? &*settings.cache : nullptr};
}

/// Removes from the targets the files that belong to the cache and were found in a folder. Returns their
/// number.
std::size_t drop_cache(const ValidateSettings& settings, std::vector<InputFile>& targets) {
  if (!settings.cache) return 0;
  return std::erase_if(
      targets, [&](const InputFile& file) { return !file.named && settings.cache->contains(file.path); });
}

/// Writes the report, one file after the other, and determines the exit status.
class Reporting {
 public:
  Reporting(const ValidateSettings& settings, const Configuration& configuration)
      : settings_(settings),
        configuration_(configuration),
        output_(settings.output_file),
        reporter_(make_reporter(make_report_options(settings))) {}

  /// Returns whether to check more files. They are checked even if the reader of a pipe has closed the pipe,
  /// because the exit status depends on them.
  bool begin() { return output_.write(reporter_->begin()) != Output::State::failed; }
  bool add(CheckedFile& file) {
    const Values values = configuration_.values_for(file.target.path);
    if (!file.report.format &&
        is_other_file(file.target, file.report.is_of_unknown_format, values.get<std::string>("for"))) {
      ++skipped_;
      return true;
    }
    ++added_;
    const bool is_unchecked_known = compare_with_baseline(file, values.get<std::uint64_t>("max-per-rule"));
    if (is_unchecked_known && file.report.findings.empty() && file.report.more.empty()) {
      ++known_;
      return true;
    }
    const Severity fail_level = parse_level(values.get<std::string>("fail-level"));
    status_ = worse(status_, find_status(file.report, fail_level, settings_.judgement, is_unchecked_known));
    const auto reader = values.get<std::string>("for");
    return output_.write(reporter_->add({.name = file.target.path,
                                         .report = &file.report,
                                         .lines = file.lines,
                                         .fail_level = fail_level,
                                         .reader = reader,
                                         .seconds = file.seconds})) != Output::State::failed;
  }
  /// Returns the exit status.
  int end() {
    if (!settings_.reading.is_quiet) {
      print_skipped(skipped_, settings_.reader);
      if (known_ != 0)
        print_error(fmt::format("left out {} that the baseline names as unreadable or undecided",
                                core::counted(known_, "file")));
    }
    output_.write(reporter_->end());
    if (!output_.finish()) return usage;
    if (!settings_.written_baseline.empty() &&
        !write_output(settings_.written_baseline, new_baseline_.make_text()))
      return usage;
    return status_ == findings && settings_.judgement.is_failure_ignored ? sound : status_;
  }
  [[nodiscard]] std::size_t added() const { return added_; }

 private:
  /// Adds the file's findings to the new baseline, or removes those that are in the old one. Returns whether
  /// the old one says that the file cannot be read or checked completely.
  bool compare_with_baseline(CheckedFile& file, std::uint64_t most) {
    const std::string& path = file.target.path;
    if (!settings_.written_baseline.empty()) new_baseline_.add(path, file.report);
    if (!settings_.baseline && settings_.written_baseline.empty()) return false;
    const Baseline none;
    const Baseline& baseline = settings_.baseline ? *settings_.baseline : none;
    const Baseline::Applied applied = baseline.apply(path, file.report, file.lines, most);
    for (const std::string& gone : applied.gone) {
      if (!settings_.reading.is_quiet)
        print_error(fmt::format("{}: no longer found: {}", show_path(path), gone));
    }
    return applied.is_unchecked_known;
  }
  static ReportOptions make_report_options(const ValidateSettings& settings) {
    const bool has_colors =
        settings.output_file.empty() ? wants_color(settings.color) : settings.color == "always";
    return {.form = settings.form,
            .color = has_colors,
            .is_brief = settings.reading.is_quiet,
            .reader = settings.reader,
            .has_statistics = settings.has_statistics};
  }

  const ValidateSettings& settings_;
  const Configuration& configuration_;
  Baseline new_baseline_;
  Output output_;
  std::unique_ptr<Reporter> reporter_;
  std::size_t added_ = 0;
  std::size_t skipped_ = 0;
  std::size_t known_ = 0;
  int status_ = sound;
};

/// Prints which configuration files are in effect, because a file that comes with a dump could hide the
/// findings about that dump.
void print_used_files(const ValidateSettings& settings, const Configuration& configuration) {
  if (settings.reading.is_quiet) return;
  for (const std::string& path : configuration.used_files()) print_error("using the configuration " + path);
}

/// Reads the configuration files for all targets. If that fails, prints the error and returns nothing.
std::optional<Configuration> read_configuration(const Values& values, const std::vector<InputFile>& targets) {
  std::vector<std::string> paths;
  for (const InputFile& target : targets) paths.push_back(target.path);
  auto configuration = Configuration::read(values, paths);
  if (configuration) return std::move(*configuration);
  print_error(configuration.error().message);
  return std::nullopt;
}

int check_all(const ValidateSettings& settings, const Values& values) {
  auto chosen = choose_files(values);
  if (!chosen) return refuse_usage(chosen.error().message);
  FoundFiles& found = *chosen;
  // The order matters: all files to be read and written must be known before the sandbox is entered, and
  // files of unknown format may only be opened inside the sandbox.
  const std::size_t cached = drop_cache(settings, found.targets);
  const auto configuration = read_configuration(values, found.targets);
  if (!configuration) return usage;
  print_used_files(settings, *configuration);
  enforce_memory(settings.reading.limits, count_shares(settings.jobs, found.targets.size()), settings.jobs);
  if (settings.reading.has_sandbox) enter_sandbox(list_access(settings, found.targets));
  const auto dropped =
      drop_output({settings.output_file, settings.written_baseline}, settings.reading.limits, found.targets);
  if (!dropped) return usage;

  Reporting reporting(settings, *configuration);
  if (reporting.begin()) {
    check_files(found.targets, make_check_options(settings, *configuration),
                [&](CheckedFile& file) { return reporting.add(file); });
  }
  // A folder in which no file was checked is reported, because the user probably meant its files to be
  // checked.
  const bool has_other_files = cached + *dropped != 0 || !found.targets.empty();
  if (reporting.added() == 0 && has_other_files && !values.find<std::string>("shard")) {
    for (std::string& path : list_folders(settings.paths)) {
      CheckedFile folder = make_unread(std::move(path), no_dumps);
      reporting.add(folder);
    }
  }
  for (FailedPath& path : found.failed) {
    CheckedFile unread = make_unread(std::move(path.path), std::move(path.why));
    reporting.add(unread);
  }
  return reporting.end();
}

ValidateSettings make_validate_settings(const Values& values) {
  const auto output_file = values.get<std::string>("output-file");
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return {.paths = values.find<std::vector<std::string>>("PATH").value_or(std::vector<std::string>()),
          .output_file = output_file == "-" ? "" : output_file,
          .form = parse_form(values.get<std::string>("output")),
          .judgement = {.is_undecided_failure = values.get<bool>("error-on-undecided"),
                        .is_failure_ignored = values.get<bool>("exit-zero")},
          .color = values.get<std::string>("color"),
          .reader = values.get<std::string>("for"),
          .reading = make_reading(values),
          .shows_progress = !values.get<bool>("no-progress"),
          .jobs = static_cast<unsigned>(values.find<std::uint64_t>("jobs").value_or(cores)),
          .has_statistics = values.get<bool>("statistics"),
          .written_baseline = values.find<std::string>("write-baseline").value_or("")};
}

/// Opens the file or folder named by the option, if the option is given. If that fails, prints an error and
/// returns false.
template <class T>
bool open_named(const Values& values, std::string_view option, Result<T> (*open)(const std::string& path),
                std::optional<T>& opened) {
  const auto path = values.find<std::string>(option);
  if (!path) return true;
  auto made = open(*path);
  if (made)
    opened = std::move(*made);
  else
    print_error(fmt::format("--{}: {}: {}", option, show_path(*path), made.error().message));
  return opened.has_value();
}

/// Prints an error if two options name the same file, because one output would overwrite the other. Returns
/// whether all files are different.
bool has_separate_files(const Values& values) {
  for (const std::string_view written : {"output-file", "write-baseline"}) {
    const auto output = values.find<std::string>(written);
    for (const std::string_view other : {"config", "files-from", "baseline", "write-baseline"}) {
      const bool is_update = written == "write-baseline" && other.ends_with("baseline");
      const auto path = values.find<std::string>(other);
      if (is_update || !output || !path || *output == "-") continue;
      std::error_code code;
      const fs::file_status status = fs::status(*path, code);
      if (fs::exists(status) && !fs::is_regular_file(status)) continue;  // such as /dev/null
      if (*path != *output && !is_same_file(*path, *output)) continue;
      print_error(fmt::format("--{} and --{}: found the same file, expected two", other, written));
      return false;
    }
  }
  return true;
}

}  // namespace

int run_validate(const Values& values) {
  if (values.find<std::string>("write-baseline") == "-")
    return refuse_usage("--write-baseline: found -, expected the path of a file");
  if (!has_separate_files(values)) return usage;
  if (values.get<std::string>("for") == "all") return run_readers(values);
  ValidateSettings settings = make_validate_settings(values);
  enforce_deadline(settings.reading.limits);
  // Both are read before the sandbox is entered, because the sandbox allows access only to the files to
  // check.
  return open_named(values, "baseline", Baseline::read, settings.baseline) &&
                 open_named(values, "cache", Cache::open, settings.cache)
             ? check_all(settings, values)
             : static_cast<int>(usage);
}

}  // namespace heapcheck::cli
