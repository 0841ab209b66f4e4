// heapcheck export: writes the content of a dump in a form that another tool reads.
#include "heapcheck/export.hpp"
#include "cli/system/limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <string>

#include "cli/ask/ask.hpp"
#include "cli/check/choose_files.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rewrite.hpp"

namespace heapcheck::cli {
namespace {

/// Whether the options can be combined. If not, prints why.
bool check_options(const Values& values, ExportForm form) {
  for (const std::string_view option : {"table", "shard"}) {
    if (has_tables(form) || !values.is_given(option)) continue;
    print_error(fmt::format("--{}: the form {} has no tables", option, name_of(form)));
    return false;
  }
  if (has_tables(form) || !values.get<bool>("all-snapshots") || values.get<std::string>("output-file") != "-")
    return true;
  print_error(
      fmt::format("--all-snapshots: {} writes one snapshot to each file; use -o FILE", name_of(form)));
  return false;
}

/// Whether the output can be written. If not, prints why.
bool check_export_output(const std::string& input, const std::string& output, ExportForm form) {
  if (complain_if_standard_output(input)) return false;
  if (output == "-" && !is_text(form) && ::isatty(STDOUT_FILENO) == 1) {
    print_error("the result is binary, and standard output is a terminal; use -o FILE");
    return false;
  }
  return check_is_no_input(output, {input});
}

int report_export_error(const std::string& input, const std::string& output, const Error& error) {
  const bool is_output = error.kind == ErrorKind::unwritable;
  print_file_error(is_output ? output : input, error.message);
  return is_output ? usage : status_of(error.kind);
}

/// `heap.txt: collapsed`, followed by the number of items of each kind.
std::string describe(const Export& done, ExportForm form) {
  std::string text;
  for (const std::string& file : done.files)
    fmt::format_to(std::back_inserter(text), "{}: {}\n", show_path(file), name_of(form));
  std::string_view before = "  ";
  for (const Amount& amount : done.amounts) {
    fmt::format_to(std::back_inserter(text), "{}{}: {}", before, amount.what, amount.count);
    before = ", ";
  }
  text += '\n' + describe_losses(done.losses);
  for (const std::string& note : done.notes) fmt::format_to(std::back_inserter(text), "  note: {}\n", note);
  return text;
}

}  // namespace

int run_export(const Values& values) {
  const auto input = values.get<std::string>("IN");
  const auto output = values.get<std::string>("output-file");
  const ExportForm form = *find_export_form(values.get<std::string>("to"));
  if (!check_options(values, form) || !check_export_output(input, output, form)) return usage;
  const auto shard = parse_shard(values.find<std::string>("shard").value_or("1/1"));
  if (!shard) return refuse_usage(shard.error().message);
  const Reading reading = make_reading(values);
  Progress progress(count_bytes(input).value_or(0), reading.shows_progress);
  // For a damaged dump, the messages are the same as for a question, because --force has the same meaning for
  // both.
  const auto dump = open_to_ask(values, input, output, progress);
  if (!dump) return dump.error();
  const auto done = export_dump(*dump, output, form,
                                {.snapshot = values.find<std::uint64_t>("snapshot"),
                                 .has_all_snapshots = values.get<bool>("all-snapshots"),
                                 .is_forced = values.get<bool>("force"),
                                 .process = values.find<std::string>("process"),
                                 .table = values.get<std::string>("table"),
                                 .part = shard->number,
                                 .part_count = shard->count});
  if (!done) return report_export_error(input, output, done.error());
  if (!reading.is_quiet && !print_summary(output, describe(*done, form))) return usage;
  return done->losses.empty() ? sound : lossy;
}

}  // namespace heapcheck::cli
