// heapcheck convert: a dump in another format of its family.
#include "cli/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "formats/core/spool.hpp"
#include "formats/open.hpp"
#include "validate/validate.hpp"

namespace heapcheck::cli {
namespace {

/// The names of what a dump of that format can be written as.
std::vector<std::string> targets_of(Format format) {
  std::vector<std::string> names;
  for (const Target target : heapcheck::targets_of(family_of(format))) names.push_back(name_of(target));
  return names;
}

bool fail(const std::string& text) {
  print_error(text);
  return false;
}

/// Says why a dump that does not hold is not converted, and gives the exit status for that.
int refuse(const ConvertSettings& settings, const Report& report) {
  if (!report.format) {
    print_error(fmt::format("{}: {}", settings.input, report.error));
    return unreadable;
  }
  if (report.verdict == Verdict::undecided) {
    print_error(settings.input + ": a limit was reached; `heapcheck validate` says which");
    return undecided;
  }
  print_error(fmt::format(
      "{}: is {}, so it is not converted; `heapcheck validate` says why{}", settings.input,
      name_of(report.verdict),
      (family_of(*report.format) == Family::trace) ? "" : ", `heapcheck recover` keeps what is whole"));
  return findings;
}

/// Whether the target and its options are of the family that the input is of; says so if not.
bool check_family(const ConvertSettings& settings, Format format) {
  const auto targets = targets_of(format);
  if (std::ranges::find(targets, settings.to) == targets.end()) {
    return fail(fmt::format("{}: is of format {}, which cannot be written as {}; it can be as {}",
                            settings.input, slug_of(format), settings.to, fmt::join(targets, ", ")));
  }
  if (settings.keep_trace && !(family_of(format) == Family::trace))
    return fail(fmt::format("--keep-trace is for traces; a {} is none", title_of(format)));
  const bool has_cut_off = settings.threshold || settings.share;
  if (has_cut_off && settings.to != "chrome-legacy")
    return fail(
        fmt::format("--threshold and --share are for --to chrome-legacy; {} has no cut-off", settings.to));
  return true;
}

int run(const ConvertSettings& settings) {
  if (!check_paths(settings)) return usage;
  const Limits limits = settings.limits;
  Progress progress(count_bytes(settings.input).value_or(0), settings.shows_progress());
  auto opened = core::open_rereadable(settings.input, limits);
  if (!opened) return report_error(settings.input, opened.error());
  const auto source = progress.watch(std::move(*opened));
  if (would_decompress_in_place(settings, *source)) return usage;
  const auto report = check_dump(*source, limits);
  if (report.verdict != Verdict::valid) return refuse(settings, report);
  if (!check_family(settings, *report.format)) return usage;
  switch (*report.format) {
    case Format::mvmheap_v1:
    case Format::mvmheap_v2:
    case Format::mvmheap_v3:
      return convert_mvmheap(settings, *source);
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      return convert_trace(settings, *source, *report.format);
    case Format::v8_heapsnapshot:
      return convert_heapsnapshot(settings, *source);
    case Format::v8_heapprofile:
      return convert_heapprofile(settings, *source);
  }
  return usage;
}

ConvertSettings make_settings(const Values& values) {
  ConvertSettings settings;
  static_cast<RewriteSettings&>(settings) = make_rewrite_settings(values);
  settings.allow_loss = values.get<bool>("allow-loss");
  settings.keep_trace = values.get<bool>("keep-trace");
  settings.threshold = values.find<std::uint64_t>("threshold");
  settings.share = values.find<double>("share");
  return settings;
}

}  // namespace

bool stops_at(const ConvertSettings& settings, const std::vector<Loss>& losses) {
  if (losses.empty() || settings.allow_loss) return false;
  print_error(
      fmt::format("{}: {} cannot hold all of it, so nothing was written; --allow-loss writes the rest",
                  settings.input, settings.to));
  print_note(describe_losses(losses));
  return true;
}

Result<void> write_checked(const ConvertSettings& settings,
                           const std::function<Result<void>(core::ByteSink&)>& write) {
  auto out = create_output(settings);
  if (!out) return std::unexpected(out.error());
  if (auto wrote = write(*out); !wrote) return wrote;
  if (out->open_written()) {  // else it went to a pipe
    if (auto checked = check_result(*out, settings.limits); !checked) return checked;
  }
  return out->commit();
}

int run_convert(const Values& values) { return run(make_settings(values)); }

}  // namespace heapcheck::cli
