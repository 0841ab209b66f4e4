// The heapcheck program: reads the command line and runs one command.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <map>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "formats/core/output_file.hpp"

namespace {

/// Removes half-written outputs, then lets the signal do what it does.
extern "C" void on_signal(int number) {
  heapcheck::core::remove_pending_outputs();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

int run(int argc, char** argv) {
  using namespace heapcheck::cli;
  CLI::App app("Checks heap dumps: says exactly what is wrong with them and where.", "heapcheck");
  app.set_version_flag("--version", std::string("heapcheck ") + std::string(version),
                       "Print the version and exit");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  const std::map<std::string, Run> commands{{"validate", add_validate(app)}, {"info", add_info(app)},
                                            {"convert", add_convert(app)},   {"recover", add_recover(app)},
                                            {"rules", add_rules(app)},       {"explain", add_explain(app)}};
  app.footer(
      "Exit status: 0 sound, 1 findings, 2 wrong usage, 3 written but something was lost,\n"
      "4 cannot be read or is of no known format, 5 undecided (a limit was reached). `heapcheck COMMAND "
      "--help` says more.");
  if (argc > 1 && argv[1][0] != '-' && !commands.contains(argv[1])) {
    print_error(fmt::format(
        "no command is called {}; there are validate, info, convert, recover, rules and explain", argv[1]));
    return usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const bool has_command = argc > 1 && commands.contains(argv[1]);
    print_error(fmt::format("{}; `heapcheck {}--help` says more", error.what(),
                            has_command ? std::string(argv[1]) + " " : ""));
    return usage;
  }
  return commands.at(app.get_subcommands().front()->get_name())();
}

}  // namespace

int main(int argc, char** argv) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, on_signal);
  // Both come back as errors of writing, which are told.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    heapcheck::cli::print_error(error.what());
    return heapcheck::cli::undecided;
  }
}
