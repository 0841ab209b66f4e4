// The heapcheck program: reads the command line and runs one command.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <system_error>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/system/limits.hpp"
#include "formats/core/output/output_file.hpp"

namespace {

/// Removes incomplete outputs, and then lets the signal take its default action.
extern "C" void on_signal(int number) {
  heapcheck::core::remove_pending_outputs();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// Handles the signals that end the program, unless the parent process has set them to be ignored, as nohup
/// does.
void catch_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction inherited{};
    const bool is_known = ::sigaction(number, nullptr, &inherited) == 0;
    if (!is_known || inherited.sa_handler != SIG_IGN) std::signal(number, on_signal);
  }
  // When these signals are ignored, write() fails instead, and the program reports the error.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

/// If the parent process closed a standard file descriptor, opens it in such a way that using it fails.
/// Otherwise, the next file that is opened would get that descriptor, and messages would be written into the
/// file.
void fill_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int run(int argc, char** argv) {
  using namespace heapcheck::cli;
  const auto line = read_command_line(argc, argv);
  if (line) {
    const Command& command = *line->command;
    return command.run == nullptr ? run_question(command.name, line->values) : command.run(line->values);
  }
  if (line.error().error.empty()) return write_output("", line.error().output) ? sound : usage;
  print_error(line.error().error);
  return usage;
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  catch_signals();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    heapcheck::cli::print_note(
        "heapcheck: out of memory; --max-memory SIZE sets the limit\n");  // does not allocate memory
    return heapcheck::cli::undecided;
  } catch (const std::system_error& error) {
    heapcheck::cli::print_error(heapcheck::cli::describe_system_error(error));
    return heapcheck::cli::undecided;
  } catch (const std::exception& error) {
    heapcheck::cli::print_error(error.what());
    return heapcheck::cli::undecided;
  }
}
