// heapcheck-conformance: runs the cases in this folder with the library or with another program, or writes
// their files for other implementations.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <thread>

#include "conformance/case_record.hpp"
#include "conformance/export.hpp"
#include "conformance/reader_run.hpp"
#include "conformance/runner.hpp"
#include "formats/core/text/counted.hpp"

namespace {

using namespace heapcheck::conformance;

constexpr int failed = 1;
constexpr int misused = 2;

struct Options {
  std::string folder = HEAPCHECK_CONFORMANCE_CASES;
  bool rewrite = false;
  unsigned jobs = std::max(std::thread::hardware_concurrency(), 1U);
  std::vector<std::string> filters;
  std::string case_path;
  std::string output;
  std::string reader;
  std::string for_reader;
  double reader_timeout = 10;
  bool list_all = false;
  std::string report = "text";
};

int fail(int status, std::string_view why) {
  fmt::print(stderr, "heapcheck-conformance: {}\n", why);
  return status;
}

/// The records of the cases selected by the filters, or the reason why there are none.
std::expected<std::vector<CaseRecord>, std::string> read_records(const Options& options) {
  const auto paths = find_cases(options.folder, options.filters);
  if (paths.empty()) return std::unexpected("no cases found");
  return make_records(options.folder, paths);
}

int check_reader(const Options& options) {
  if (options.rewrite)
    return fail(misused, "--rewrite cannot be combined with --reader: cases record heapcheck's own findings");
  if (!options.reader.contains("{}"))
    return fail(misused, "found no {} in the command of --reader, expected {} in place of the file name");
  const auto records = read_records(options);
  if (!records) return fail(misused, records.error());
  constexpr std::size_t some_names = 10;
  const std::chrono::duration<double> time(options.reader_timeout);
  const ReaderRun run{{options.reader, std::chrono::duration_cast<std::chrono::milliseconds>(time)},
                      options.for_reader,
                      options.jobs,
                      options.list_all ? std::numeric_limits<std::size_t>::max() : some_names,
                      options.report == "json"};
  const auto agrees = run_reader(run, *records);
  if (!agrees) return fail(misused, agrees.error());
  return *agrees ? 0 : failed;
}

int export_cases(const Options& options) {
  const auto records = read_records(options);
  if (!records) return fail(failed, records.error());
  if (auto done = write_export(options.output, HEAPCHECK_VERSION, *records); !done)
    return fail(misused, done.error());
  fmt::print("{} written to {}\n", heapcheck::core::counted(records->size(), "case"), options.output);
  return 0;
}

int run(const Options& options) {
  const auto paths = find_cases(options.folder, options.filters);
  const auto outcomes = run_cases(paths, options.rewrite, options.jobs);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (outcomes[i].passed) continue;
    ++failures;
    const std::string name = name_of_case(options.folder, paths[i]);
    fmt::print("{} {}\n{}\n", outcomes[i].rewritten ? "REWRITTEN" : "FAILED", name, outcomes[i].difference);
  }
  fmt::print("{}, {} passed, {} {}\n", heapcheck::core::counted(paths.size(), "case"),
             paths.size() - failures, failures, options.rewrite ? "differed" : "failed");
  if (paths.empty()) return fail(failed, "no cases found");
  return failures == 0 ? 0 : failed;
}

/// Finds a case by its path, or by its name in the folder.
std::filesystem::path resolve(const Options& options) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.case_path, ignored)) return options.case_path;
  return std::filesystem::path(options.folder) / (options.case_path + ".case");
}

int write_bytes(const Options& options) {
  if (options.output.empty() && ::isatty(STDOUT_FILENO) != 0) {
    return fail(misused, "standard output is a terminal; use -o FILE or a pipe");
  }
  const auto bytes = build_case(resolve(options));
  if (!bytes) return fail(failed, fmt::format("{}: {}", options.case_path, bytes.error()));
  std::ofstream file;
  if (!options.output.empty()) file.open(options.output, std::ios::binary | std::ios::trunc);
  std::ostream& out = options.output.empty() ? std::cout : file;
  out.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  if (out.flush().good()) return 0;
  return fail(failed, "the bytes cannot be written");
}

void add_reader_options(CLI::App& command, Options& options) {
  auto* reader =
      command.add_option("--reader", options.reader,
                         "Run this shell command on the file of each case, with {} replaced by its name; "
                         "an exit status of 0 means that the reader accepts the file");
  reader->type_name("COMMAND");
  command
      .add_option("--reader-timeout", options.reader_timeout,
                  "Seconds after which a reader is considered to hang")
      ->type_name("S")
      ->check(CLI::PositiveNumber)
      ->needs(reader);
  command
      .add_option("--for", options.for_reader,
                  "Use only the cases for this reader, which are left out otherwise")
      ->type_name("READER")
      ->needs(reader);
  command
      .add_flag("--list", options.list_all,
                "List all cases in which the reader is wrong, not only ten of each kind")
      ->needs(reader);
  command.add_option("--output", options.report, "Format of the result for a reader (default: text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("text|json")
      ->needs(reader);
}

CLI::App* add_run(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("run", "Run cases with heapcheck or another reader, and print the differences");
  command->add_flag("--rewrite", options.rewrite, "Replace the expectation of each case with what was found");
  command->add_option("--jobs,-j", options.jobs, "Cases to run at the same time")->type_name("N");
  add_reader_options(*command, options);
  command->add_option("filter", options.filters, "Run only cases whose names contain one of these");
  return command;
}

CLI::App* add_bytes(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand("bytes", "Write the bytes of a case");
  command->add_option("case", options.case_path, "Case to write: its file or its name")->required();
  command->add_option("-o,--output", options.output, "File to write instead of standard output");
  return command;
}

CLI::App* add_export(CLI::App& app, Options& options) {
  auto* command =
      app.add_subcommand("export", "Write the files of cases, with a manifest that describes them");
  command->add_option("DIR", options.output, "New folder, or the folder of an earlier export")->required();
  command->add_option("filter", options.filters, "Write only cases whose names contain one of these");
  return command;
}

int run_program(int argc, char** argv) {
  Options options;
  CLI::App app("Checks heapcheck, or another reader of heap dumps, against the conformance cases");
  app.require_subcommand(1);
  app.add_option("--cases", options.folder, "Folder that contains the cases")->type_name("DIR");
  const auto* run_command = add_run(app, options);
  const auto* bytes_command = add_bytes(app, options);
  add_export(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : misused;
  }
  if (bytes_command->parsed()) return write_bytes(options);
  if (!run_command->parsed()) return export_cases(options);
  return options.reader.empty() ? run(options) : check_reader(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return misused;
  }
}
