// heapcheck validate --for all: shows which readers can open which files.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/check/choose_files.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/system/files.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// A file and how each reader handles it, or the error that prevented it from being read.
struct FileFits {
  std::string path;
  std::string format = {};
  std::vector<ReaderFit> fits = {};
  std::string error = {};
  std::string_view rule = "input.unreadable";  ///< the rule that the error violates
  int status = sound;
};

/// Checks the file for every reader. Returns nothing if it was found in a folder and is left out.
std::optional<FileFits> check_file(const InputFile& target, const Limits& limits) {
  FileFits file{.path = target.path};
  const auto dump = open(target.path, {.limits = limits});
  if (!dump) {
    if (is_other_file(target, dump.error().kind == ErrorKind::unknown_format, "")) return std::nullopt;
    file.error = dump.error().message;
    file.status = is_limit(dump.error().kind) ? undecided : unreadable;
    if (file.status == undecided) file.rule = "limit.unrecognised";
    if (dump.error().kind == ErrorKind::unknown_format) file.rule = "input.unknown-format";
    return file;
  }
  file.fits = check_readers(*dump);
  file.format = slug_of(dump->format());
  return file;
}

bool is_read(const ReaderFit& fit) { return fit.fit != Fit::unread; }

std::string make_fits_text(const FileFits& file) {
  if (!file.error.empty())
    return fmt::format("{}: error: {} [{}]\n", show_path(file.path), file.error, file.rule);
  std::string text = fmt::format("{}: {}\n", show_path(file.path), file.format);
  std::string unread;
  for (const ReaderFit& fit : file.fits) {
    if (!is_read(fit)) {
      unread += (unread.empty() ? "" : ", ") + std::string(fit.reader);
      continue;
    }
    fmt::format_to(std::back_inserter(text), "  {:<11} {}", fit.reader, name_of(fit.fit));
    if (!fit.reason.empty())
      fmt::format_to(std::back_inserter(text), "{:<{}}{}", "", 11 - name_of(fit.fit).size(), fit.reason);
    if (fit.rule != nullptr) fmt::format_to(std::back_inserter(text), " [{}]", fit.rule->id);
    text += '\n';
  }
  if (!unread.empty()) text += "  not for this format: " + unread + "\n";
  return text;
}

void write_fit(core::JsonWriter& json, const ReaderFit& fit) {
  json.member("reader", fit.reader);
  json.member("fit", name_of(fit.fit));
  if (fit.rule != nullptr) json.member("rule", fit.rule->id);
  if (!fit.reason.empty()) json.member("reason", fit.reason);
}

std::string make_fits_json(const std::vector<FileFits>& files) {
  return make_json_document([&](core::JsonWriter& json) {
    json.member("heapcheck", version());
    write_rows(json, "files", files, [](core::JsonWriter& row, const FileFits& file) {
      row.member("path", core::make_safe_path(file.path));
      if (!file.error.empty()) return row.member("error", file.error);
      row.member("format", file.format);
      write_rows(row, "readers", file.fits, write_fit);
    });
  });
}

/// Whether all given options can be combined with the table of readers. If not, prints which option cannot.
bool check_reader_options(const Values& values) {
  // These options concern findings, and the table of readers contains none.
  for (const std::string_view other :
       {"baseline", "write-baseline", "cache", "statistics", "select", "ignore", "severity", "hide",
        "max-per-rule", "fail-level", "error-on-undecided"}) {
    if (!values.is_given(other)) continue;
    print_error(fmt::format("--{} cannot be used with --for all, which reports no findings", other));
    return false;
  }
  const auto form = values.get<std::string>("output");
  if (form == "text" || form == "json") return true;
  print_error(fmt::format("--output: found {}, expected text or json with --for all", form));
  return false;
}

/// `dropped` is the number of files that were left out because the report will overwrite them.
std::vector<FileFits> check_files(const Values& values, const Reading& reading, const FoundFiles& found,
                                  std::size_t dropped) {
  std::vector<FileFits> files;
  for (const InputFile& target : found.targets) {
    if (auto file = check_file(target, reading.limits)) files.push_back(std::move(*file));
  }
  if (!reading.is_quiet) print_skipped(found.targets.size() - files.size(), "");
  const bool is_shard = values.find<std::string>("shard").has_value();  // a shard may have no files
  if (files.empty() && dropped + found.targets.size() != 0 && !is_shard) {
    for (const std::string& path : list_folders(values.get<std::vector<std::string>>("PATH")))
      files.push_back({.path = path, .error = no_dumps, .status = unreadable});
  }
  for (const FailedPath& failed : found.failed)
    files.push_back({.path = failed.path, .error = failed.why, .status = unreadable});
  return files;
}

/// The status is 5 if a limit was reached, and 4 if a file could not be read. It does not depend on how
/// readers handle the files.
int find_fits_status(const std::vector<FileFits>& files) {
  for (const int status : {undecided, unreadable}) {
    if (std::ranges::find(files, status, &FileFits::status) != files.end()) return status;
  }
  return sound;
}

}  // namespace

int run_readers(const Values& values) {
  if (!check_reader_options(values)) return usage;
  const Reading reading = make_reading(values);
  const auto named = values.get<std::string>("output-file");
  const std::string output = named == "-" ? "" : named;
  enforce_deadline(reading.limits);  // before searching for files, which can take a long time
  auto found = choose_files(values);
  if (!found) return refuse_usage(found.error().message);
  Access access{.output = output, .needs_temporary = true};
  for (const InputFile& target : found->targets) access.inputs.push_back(target.path);
  enforce_memory(reading.limits);
  if (reading.has_sandbox) enter_sandbox(access);
  const auto dropped = drop_output({.report = output, .baseline = ""}, reading.limits, found->targets);
  if (!dropped) return usage;
  const std::vector<FileFits> files = check_files(values, reading, *found, *dropped);
  std::string report;
  if (values.get<std::string>("output") == "json") {
    report = make_fits_json(files);
  } else {
    for (const FileFits& file : files) report += make_fits_text(file);
  }
  if (reading.is_quiet && output.empty()) return find_fits_status(files);
  return write_output(output, report) ? find_fits_status(files) : static_cast<int>(usage);
}

}  // namespace heapcheck::cli
