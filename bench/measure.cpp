// Runs a command and measures it from outside:
//   bench_measure DESCRIPTOR COMMAND ARGUMENT...        writes the costs to that file descriptor
//   bench_measure DESCRIPTOR --pipe FILE COMMAND ...    the same, while `cat` writes FILE to its input The
//   costs are one line: exit status (-1: killed), CPU and wall time in seconds, and the peak memory in bytes.
//   This is a separate program because a process has at least the peak memory of the process that started it.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Starts a program with this standard input.
pid_t start(char** command, int input, int output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (input >= 0) ::dup2(input, STDIN_FILENO);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  ::execvp(command[0], command);
  constexpr int not_found = 127;
  ::_exit(not_found);
}

/// Starts `cat` for the file, and returns the descriptor from which its output can be read.
int feed(char* path) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
  std::string cat = "cat";
  std::array<char*, 3> command{cat.data(), path, nullptr};
  start(command.data(), -1, ends[1]);
  ::close(ends[1]);
  return ends[0];
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_piped = argc > 2 && std::string_view(argv[2]) == "--pipe";
  char** const command = argv + (is_piped ? 4 : 2);
  if (argc < (is_piped ? 5 : 3)) {
    fmt::print(stderr, "usage: bench_measure DESCRIPTOR [--pipe FILE] COMMAND ARGUMENT...\n");
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const int input = is_piped ? feed(argv[3]) : -1;
  const pid_t child = start(command, input, -1);
  if (input >= 0) ::close(input);
  rusage usage{};
  int status = 0;
  if (::wait4(child, &status, 0, &usage) != child) return 1;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  constexpr long bytes_per_unit = 1024;
  const std::string costs = fmt::format("{} {:.6f} {:.6f} {}\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                                        seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), wall.count(),
                                        usage.ru_maxrss * bytes_per_unit);
  return ::write(std::atoi(argv[1]), costs.data(), costs.size()) < 0 ? 1 : 0;
}
