// heapcheck convert: a dump in another format of its family.
#include "cli/convert.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
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

std::vector<std::string> all_targets() {
  std::vector<std::string> names;
  for (const Family family :
       {Family::mvmheap, Family::trace, Family::v8_heapsnapshot, Family::v8_heapprofile}) {
    for (const Target target : heapcheck::targets_of(family)) names.push_back(name_of(target));
  }
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

int run_convert(const ConvertSettings& settings) {
  if (!check_paths(settings)) return usage;
  const Limits limits = settings.limits();
  auto source = core::open_rereadable(settings.input, limits);
  if (!source) return report_error(settings.input, source.error());
  if (would_decompress_in_place(settings, **source)) return usage;
  const auto report = check_dump(**source, limits);
  if (report.verdict != Verdict::valid) return refuse(settings, report);
  if (!check_family(settings, *report.format)) return usage;
  switch (*report.format) {
    case Format::mvmheap_v1:
    case Format::mvmheap_v2:
    case Format::mvmheap_v3:
      return convert_mvmheap(settings, **source);
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      return convert_trace(settings, **source, *report.format);
    case Format::v8_heapsnapshot:
      return convert_heapsnapshot(settings, **source);
    case Format::v8_heapprofile:
      return convert_heapprofile(settings, **source);
  }
  return usage;
}

}  // namespace

bool stops_at(const ConvertSettings& settings, const std::vector<Loss>& losses) {
  if (losses.empty() || settings.allow_loss) return false;
  print_error(
      fmt::format("{}: {} cannot hold all of it, so nothing was written; --allow-loss writes the rest",
                  settings.input, settings.to));
  std::fputs(describe_losses(losses).c_str(), stderr);
  return true;
}

Result<void> write_checked(const ConvertSettings& settings,
                           const std::function<Result<void>(core::ByteSink&)>& write) {
  auto out = create_output(settings);
  if (!out) return std::unexpected(out.error());
  if (auto wrote = write(*out); !wrote) return wrote;
  if (out->open_written()) {  // else it went to a pipe
    if (auto checked = check_result(*out, settings.limits()); !checked) return checked;
  }
  return out->commit();
}

Run add_convert(CLI::App& app) {
  auto settings = std::make_shared<ConvertSettings>();
  CLI::App* command = app.add_subcommand("convert", "Write a sound dump in another format or version");
  add_rewrite_options(*command, *settings, all_targets());
  command->get_option("--output-file")->description("The dump to write; - is standard output");
  command->get_option("--to")->required();
  command->add_flag("--allow-loss", settings->allow_loss,
                    "Write also what loses something that the format cannot hold; the exit status is 3 then");
  command->add_flag("--keep-trace", settings->keep_trace,
                    "Of a trace, keep all other events as they are (default: its heap dumps only)");
  const CLI::Validator is_size(
      [](std::string& size) {
        const bool is_long = std::min(size.find_first_not_of("0123456789"), size.size()) > 18;
        return size.starts_with("-") || is_long ? size + " is no size, required are 0 bytes or more"
                                                : std::string();
      },
      "");
  const CLI::Validator is_percent(
      [](std::string& percent) {
        const bool is_plain = percent.find_first_not_of("0123456789.") == std::string::npos;
        return is_plain ? std::string() : percent + " is no share, required are 0 to 100 percent";
      },
      "");
  CLI::Option* threshold =
      command
          ->add_option("--threshold", settings->threshold,
                       "To chrome-legacy: leave out what is smaller (default: 0, all of it)")
          ->transform(CLI::AsSizeValue(false))
          ->check(is_size)
          ->option_text("BYTES");
  command
      ->add_option("--share", settings->share,
                   "To chrome-legacy: of what a node breaks down into, largest first, stop at what adds less "
                   "than this share")
      ->check(CLI::Range(0.0, 100.0))
      ->check(is_percent)
      ->excludes(threshold)
      ->option_text("PERCENT");
  return [settings] { return run_convert(*settings); };
}

}  // namespace heapcheck::cli
