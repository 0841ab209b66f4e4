#include "bench/processes.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace heapcheck::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Starts a program with the given standard input and output; for either of them, -1 keeps the current one.
pid_t start(std::array<const char*, 5> arguments, int input, int output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (input >= 0) ::dup2(input, STDIN_FILENO);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  ::execvp(arguments[0], const_cast<char**>(arguments.data()));
  ::_exit(127);
}

}  // namespace

void Costs::keep_least(const Costs& other) {
  seconds = std::min(seconds, other.seconds);
  cpu_seconds = std::min(cpu_seconds, other.cpu_seconds);
  peak_bytes = std::max(peak_bytes, other.peak_bytes);
}

void fail(const char* what) {
  fmt::print(stderr, "the benchmark cannot continue: {}\n", what);
  std::exit(1);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe can be created");
  return ends;
}

Costs run_self(const char* command, const char* with, const std::string& path, bool is_piped, int output) {
  const auto [piped, piped_in] = make_pipe();
  const auto begin = std::chrono::steady_clock::now();
  const pid_t feeder = is_piped ? start({"cat", path.c_str()}, -1, piped_in) : 0;
  const pid_t child =
      start({"/proc/self/exe", command, with, is_piped ? "-" : path.c_str()}, is_piped ? piped : -1, output);
  ::close(piped);
  ::close(piped_in);
  rusage usage{};
  int status = 0;
  if (::wait4(child, &status, 0, &usage) != child || status != 0) fail("a run failed");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (is_piped) ::waitpid(feeder, nullptr, 0);
  return {time.count(), seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

MadeFile::MadeFile(const std::function<void(std::FILE*)>& write) {
  std::FILE* const file = ::fdopen(::mkstemp(path_.data()), "w");
  if (file == nullptr) fail("no file can be created here");
  write(file);
  byte_count_ = static_cast<double>(std::ftell(file));
  std::fclose(file);
}

MadeFile::~MadeFile() { ::unlink(path_.c_str()); }

}  // namespace heapcheck::bench
