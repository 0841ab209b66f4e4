// heapcheck-conformance: runs the cases of this folder through the library, or writes a case's
// bytes for another implementation to read.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <thread>

#include "conformance/runner.hpp"

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
};

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
  fmt::print("{} cases, {} passed, {} {}\n", paths.size(), paths.size() - failures, failures,
             options.rewrite ? "differed" : "failed");
  if (paths.empty()) fmt::print(stderr, "heapcheck-conformance: no case found\n");
  return failures == 0 && !paths.empty() ? 0 : failed;
}

/// A case by its path, or by its name below the folder.
std::filesystem::path resolve(const Options& options) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.case_path, ignored)) return options.case_path;
  return std::filesystem::path(options.folder) / (options.case_path + ".case");
}

int write_bytes(const Options& options) {
  if (options.output.empty() && ::isatty(STDOUT_FILENO) != 0) {
    fmt::print(stderr, "heapcheck-conformance: standard output is a terminal; use -o FILE or a pipe\n");
    return misused;
  }
  const auto bytes = build_case(resolve(options));
  if (!bytes) {
    fmt::print(stderr, "heapcheck-conformance: {}: {}\n", options.case_path, bytes.error());
    return failed;
  }
  std::ofstream file;
  if (!options.output.empty()) file.open(options.output, std::ios::binary | std::ios::trunc);
  std::ostream& out = options.output.empty() ? std::cout : file;
  out.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  if (out.flush().good()) return 0;
  fmt::print(stderr, "heapcheck-conformance: the bytes could not be written\n");
  return failed;
}

int run_program(int argc, char** argv) {
  Options options;
  CLI::App app("Checks heapcheck against the conformance cases");
  app.require_subcommand(1);
  app.add_option("--cases", options.folder, "Folder of the cases")->type_name("DIR");
  auto* run_command = app.add_subcommand("run", "Run cases and print what differs");
  run_command->add_flag("--rewrite", options.rewrite,
                        "Write what was found into the cases as their expectation");
  run_command->add_option("--jobs,-j", options.jobs, "Cases to run at the same time")->type_name("N");
  run_command->add_option("filter", options.filters, "Run cases whose name contains one of these");
  auto* bytes_command = app.add_subcommand("bytes", "Write the bytes of a case");
  bytes_command->add_option("case", options.case_path, "Case: its file or its name")->required();
  bytes_command->add_option("-o,--output", options.output, "File to write instead of standard output");
  CLI11_PARSE(app, argc, argv);
  return run_command->parsed() ? run(options) : write_bytes(options);
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
