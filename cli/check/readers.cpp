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
#include "cli/check/other_file.hpp"
#include "cli/commands.hpp"
#include "cli/info.hpp"
#include "cli/output.hpp"
#include "cli/system/find_files.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/json/writer.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// A file with what each reader does with it, or the error that kept it from being read.
struct FileFits {
  std::string path;
  std::string format = {};
  std::vector<ReaderFit> fits = {};
  std::string error = {};
  int status = sound;
};

/// Nothing for a file that was found in a folder and is left out.
std::optional<FileFits> check_file(const InputFile& target, const Limits& limits) {
  FileFits file{.path = target.path};
  const auto dump = open(target.path, {.limits = limits});
  if (!dump) {
    if (is_other_file(target, dump.error().kind == ErrorKind::unknown_format, "")) return std::nullopt;
    file.error = dump.error().message;
    file.status = is_limit(dump.error().kind) ? undecided : unreadable;
    return file;
  }
  file.fits = check_readers(*dump);
  file.format = slug_of(dump->format());
  return file;
}

bool is_read(const ReaderFit& fit) { return fit.fit != Fit::unread; }

std::string make_fits_text(const FileFits& file) {
  if (!file.error.empty()) return fmt::format("{}: {}\n", show_path(file.path), file.error);
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
  write_member(json, "reader", fit.reader);
  write_member(json, "fit", name_of(fit.fit));
  if (fit.rule != nullptr) write_member(json, "rule", fit.rule->id);
  if (!fit.reason.empty()) write_member(json, "reason", fit.reason);
}

std::string make_fits_json(const std::vector<FileFits>& files) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  write_member(json, "heapcheck", version());
  write_rows(json, "files", files, [](core::JsonWriter& row, const FileFits& file) {
    write_member(row, "path", core::make_safe_path(file.path));
    if (!file.error.empty()) return write_member(row, "error", file.error);
    write_member(row, "format", file.format);
    write_rows(row, "readers", file.fits, write_fit);
  });
  json.end_object();
  return out + "\n";
}

std::vector<FileFits> check_files(const FoundFiles& found, const Limits& limits) {
  std::vector<FileFits> files;
  for (const InputFile& target : found.targets) {
    if (auto file = check_file(target, limits)) files.push_back(std::move(*file));
  }
  for (const FailedPath& failed : found.failed)
    files.push_back({.path = failed.path, .error = failed.why, .status = unreadable});
  return files;
}

/// 5 if a limit was reached, 4 if a file could not be read; the fits do not count.
int find_fits_status(const std::vector<FileFits>& files) {
  for (const int status : {undecided, unreadable}) {
    if (std::ranges::find(files, status, &FileFits::status) != files.end()) return status;
  }
  return sound;
}

}  // namespace

int run_readers(const Values& values) {
  for (const std::string_view other : {"baseline", "write-baseline", "cache", "statistics"}) {
    if (!values.is_given(other)) continue;
    print_error(fmt::format("--{} cannot be used with --for all, which reports no findings", other));
    return usage;
  }
  const auto form = values.get<std::string>("output");
  if (form != "text" && form != "json") {
    print_error(fmt::format("--output: found {}, expected text or json with --for all", form));
    return usage;
  }
  const auto output_file = values.get<std::string>("output-file");
  const std::string output = output_file == "-" ? "" : output_file;
  const auto chosen = choose_files(values);
  if (!chosen) {
    print_error(chosen.error().message);
    return usage;
  }
  const FoundFiles& found = *chosen;
  Access access{.output = output, .needs_temporary = true};
  for (const InputFile& target : found.targets) {
    if (is_standard_output(target.path) || (!output.empty() && is_same_file(target.path, output))) {
      print_file_error(target.path, "is one of the files to check, so the report cannot be written to it");
      return usage;
    }
    access.inputs.push_back(target.path);
  }
  const Limits limits = make_limits(values);
  enforce(limits);
  if (values.get<std::string>("sandbox") == "on") enter_sandbox(access);
  const std::vector<FileFits> files = check_files(found, limits);
  std::string report;
  if (form == "json") {
    report = make_fits_json(files);
  } else {
    for (const FileFits& file : files) report += make_fits_text(file);
  }
  if (values.get<bool>("quiet") && output.empty()) return find_fits_status(files);
  return write_output(output, report) ? find_fits_status(files) : static_cast<int>(usage);
}

}  // namespace heapcheck::cli
