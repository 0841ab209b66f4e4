// heapcheck convert: a dump as another version of its format.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/rewrite.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/spool.hpp"
#include "formats/registry_mvmheap.hpp"
#include "validate/validate.hpp"

namespace heapcheck::cli {
namespace {

struct Settings : RewriteSettings {
  bool allow_loss = false;
};

/// Says why a dump that does not hold is not converted, and gives the exit status for that.
int refuse(const Settings& settings, const validate::FileReport& report) {
  if (!report.format) {
    print_error(fmt::format("{}: {}", settings.input, report.error));
    return unreadable;
  }
  if (report.verdict == validate::Verdict::undecided) {
    print_error(settings.input + ": a limit was reached; `heapcheck validate` says which");
    return undecided;
  }
  print_error(
      fmt::format("{}: is {}, so it is not converted; `heapcheck validate` says why, `heapcheck "
                  "recover` keeps what is whole",
                  settings.input, validate::name_of(report.verdict)));
  return findings;
}

std::string describe(const Settings& settings, formats::Format from, formats::Target to,
                     const mvmheap::Survey& survey) {
  const mvmheap::TableCounts rows = survey.tables.counts();
  return fmt::format("{}: {} from {}\n  snapshots: {}\n  strings: {}, types: {}, static frames: {}\n",
                     core::make_excerpt(settings.target_path(), SIZE_MAX), formats::name_of(to),
                     formats::slug_of(from), survey.snapshots, rows.strings, rows.types, rows.static_frames);
}

/// The second reading, which writes.
core::Result<void> write(core::SeekableSource& source, const Settings& settings, formats::Target target,
                         const mvmheap::Survey& survey) {
  core::SilentSink sink;
  const core::Limits limits = settings.limits();
  auto dump = formats::open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(dump.error());
  auto out = core::OutputFile::create(settings.target_path() == "-" ? "/dev/stdout" : settings.target_path());
  if (!out) return std::unexpected(out.error());
  const auto writer = formats::make_writer(target, *out, survey.file_meta, {settings.level});
  if (auto done = mvmheap::convert(*dump->reader, survey, formats::capacity_of(target), limits, *writer);
      !done) {
    return done;
  }
  if (dump->window->error()) return std::unexpected(*dump->window->error());
  if (out->open_written()) {  // else it went to a pipe
    if (auto checked = check_result(*out, limits); !checked) return checked;
  }
  return out->commit();
}

int run_convert(const Settings& settings) {
  if (!check_paths(settings)) return usage;
  const core::Limits limits = settings.limits();
  auto source = core::open_rereadable(settings.input, limits);
  if (!source) return report_error(settings.input, source.error());
  if (would_decompress_in_place(settings, **source)) return usage;
  const auto report = check_dump(**source, limits);
  if (report.verdict != validate::Verdict::valid) return refuse(settings, report);

  core::SilentSink sink;
  auto dump = formats::open_mvmheap(**source, limits, sink);
  if (!dump) return report_error(settings.input, dump.error());
  const mvmheap::Survey survey = mvmheap::make_survey(*dump->reader);
  if (dump->window->error()) return report_error(settings.input, *dump->window->error());
  const formats::Target target = *formats::find_target(settings.to);
  const auto losses = mvmheap::find_losses(survey, formats::capacity_of(target));
  if (!losses.empty() && !settings.allow_loss) {
    print_error(
        fmt::format("{}: {} cannot hold all of it, so nothing was written; --allow-loss writes the rest",
                    settings.input, settings.to));
    std::fputs(describe_losses(losses).c_str(), stderr);
    return usage;
  }
  if (auto wrote = write(**source, settings, target, survey); !wrote)
    return report_error(
        wrote.error().kind == core::ErrorKind::unwritable ? settings.target_path() : settings.input,
        wrote.error());
  print_summary(settings, describe(settings, dump->format, target, survey) + describe_losses(losses));
  return losses.empty() ? sound : lossy;
}

}  // namespace

Run add_convert(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("convert", "Write a sound dump in another format or version");
  add_rewrite_options(*command, *settings);
  command->get_option("--output-file")->description("The dump to write; - is standard output");
  command->get_option("--to")->required();
  command->add_flag("--allow-loss", settings->allow_loss,
                    "Write also what loses something that the format cannot hold; the exit status is 3 then");
  return [settings] { return run_convert(*settings); };
}

}  // namespace heapcheck::cli
