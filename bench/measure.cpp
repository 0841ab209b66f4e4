// Runs a command and measures it from outside:
//   bench_measure DESCRIPTOR [--processors N] [--touch BYTES] [--pipe FILE] COMMAND ARGUMENT...
// The costs are written to that file descriptor as one line: exit status (-1: killed), user time, CPU time
// and wall time in seconds, and the peak memory in bytes. This is a separate program because a process has at
// least the peak memory of the process that started it.
//   --processors N  the command may only use N processors
//   --touch BYTES   another process writes to this much memory first. A virtual machine gives unused memory
//   back to its
//                   host, and getting it again takes longer than anything that is measured here. After this,
//                   the command gets memory that the host has already provided.
//   --pipe FILE     `cat` writes FILE to the input of the command
#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

struct Options {
  long processors = 0;      // 0: all
  std::size_t touched = 0;  // bytes
  char* piped = nullptr;    // a path
  char** command = nullptr;
};

/// Reads pairs of options and values up to the command, which is null if there is none.
Options read_options(char** words) {
  Options options;
  for (; *words != nullptr && std::string_view(*words).starts_with("--"); words += 2) {
    const std::string_view name = *words;
    if (words[1] == nullptr) return options;
    if (name == "--processors") options.processors = std::atol(words[1]);
    if (name == "--touch") options.touched = std::strtoull(words[1], nullptr, 10);
    if (name == "--pipe") options.piped = words[1];
  }
  options.command = *words == nullptr ? nullptr : words;
  return options;
}

/// Keeps the last processors of those that this process may use: the first one often serves interrupts.
bool keep_processors(long wanted) {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return false;
  long excess = CPU_COUNT(&set) - wanted;
  for (int i = 0; i < CPU_SETSIZE && excess > 0; ++i) {
    if (!CPU_ISSET(i, &set)) continue;
    CPU_CLR(i, &set);
    --excess;
  }
  return excess == 0 && ::sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Returns whether a child could write to each page of this much memory.
bool touch(std::size_t byte_count) {
  const pid_t child = ::fork();
  if (child == 0) {
    void* const memory =
        ::mmap(nullptr, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) ::_exit(1);
    ::madvise(memory, byte_count, MADV_HUGEPAGE);  // only faster
    constexpr std::size_t page_bytes = 4096;
    for (std::size_t at = 0; at < byte_count; at += page_bytes) static_cast<volatile char*>(memory)[at] = 1;
    ::_exit(0);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

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

/// Returns the line with the costs, or nothing if they are unknown.
std::string measure(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const int input = options.piped != nullptr ? feed(options.piped) : -1;
  const pid_t child = start(options.command, input, -1);
  if (input >= 0) ::close(input);
  rusage usage{};
  int status = 0;
  if (::wait4(child, &status, 0, &usage) != child) return {};
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  constexpr long bytes_per_unit = 1024;
  const double user = seconds_of(usage.ru_utime);
  return fmt::format("{} {:.6f} {:.6f} {:.6f} {}\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, user,
                     user + seconds_of(usage.ru_stime), wall.count(), usage.ru_maxrss * bytes_per_unit);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = argc > 2 ? read_options(argv + 2) : Options{};
  if (options.command == nullptr) {
    fmt::print(stderr,
               "usage: bench_measure DESCRIPTOR [--processors N] [--touch BYTES] [--pipe FILE] COMMAND "
               "ARGUMENT...\n");
    return 2;
  }
  if (options.processors > 0 && !keep_processors(options.processors)) return 1;
  if (options.touched > 0 && !touch(options.touched)) return 1;
  const std::string costs = measure(options);
  return ::write(std::atoi(argv[1]), costs.data(), costs.size()) < 0 ? 1 : 0;
}
