// What taking the heap dumps out of a Chrome trace costs with heapcheck, against simdjson's on-demand
// parser doing the same: each in a process of its own, which opens the file, reads it and ends. Prints the
// least time of each and their ratio, and the peak memory against that of the columns; also from a pipe.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/chrome_extract.hpp"
#include "bench/chrome_traces.hpp"

namespace {

using namespace heapcheck::bench;

/// One run of this program that extracts, seen from outside.
struct Run {
  double seconds = 1e9;      ///< from its start to its end
  double cpu_seconds = 1e9;  ///< of the process
  std::uint64_t peak_bytes = 0;
  Extract extract;
};

enum class Way : std::uint8_t { heapcheck, heapcheck_pipe, simdjson };

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

[[noreturn]] void fail(const char* what) {
  fmt::print(stderr, "bench_chrome: {}\n", what);
  std::exit(1);
}

/// Starts a program with these as its standard input and output; -1: as they are.
pid_t start(std::array<const char*, 5> arguments, int input, int output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (input >= 0) ::dup2(input, STDIN_FILENO);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  ::execvp(arguments[0], const_cast<char**>(arguments.data()));
  ::_exit(127);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe");
  return ends;
}

Run run(Way way, const std::string& path) {
  const bool is_piped = way == Way::heapcheck_pipe;
  const auto [answer, answer_in] = make_pipe();
  const auto [piped, piped_in] = make_pipe();
  const auto begin = std::chrono::steady_clock::now();
  const pid_t feeder = is_piped ? start({"cat", path.c_str()}, -1, piped_in) : 0;
  const pid_t child = start({"/proc/self/exe", "extract", way == Way::simdjson ? "simdjson" : "heapcheck",
                             is_piped ? "-" : path.c_str()},
                            is_piped ? piped : -1, answer_in);
  for (const int end : {answer_in, piped, piped_in}) ::close(end);
  Run result;
  const bool has_answer = ::read(answer, &result.extract, sizeof result.extract) == sizeof result.extract;
  rusage usage{};
  int status = 0;
  if (::wait4(child, &status, 0, &usage) != child || status != 0 || !has_answer) fail("a run failed");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (is_piped) ::waitpid(feeder, nullptr, 0);
  ::close(answer);
  result.seconds = time.count();
  result.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return result;
}

void keep_least(Run& best, const Run& run) {
  best.seconds = std::min(best.seconds, run.seconds);
  best.cpu_seconds = std::min(best.cpu_seconds, run.cpu_seconds);
  best.peak_bytes = std::max(best.peak_bytes, run.peak_bytes);
  best.extract = run.extract;
}

/// `share` is what part of simdjson's time a run took.
void print(const char* name, const Run& run, const Run& base, double byte_count) {
  constexpr double mib = 1 << 20;
  fmt::print(
      "  {:<15} {:6.0f} MB/s, {:6.1f} ms, {:6.1f} ms of CPU time; {:.2f} times as fast ({:.2f} by CPU time);",
      name, byte_count / run.seconds * 1e-6, run.seconds * 1e3, run.cpu_seconds * 1e3,
      base.seconds / run.seconds, base.cpu_seconds / run.cpu_seconds);
  fmt::print(" peak {:.1f} MiB, columns {:.1f} MiB\n", static_cast<double>(run.peak_bytes) / mib,
             static_cast<double>(run.extract.byte_count) / mib);
}

void compare(const char* name, const std::string& path, double byte_count, int rounds) {
  std::array<Run, 3> best;
  for (int round = 0; round < rounds; ++round) {
    for (const Way way : {Way::simdjson, Way::heapcheck, Way::heapcheck_pipe}) {
      keep_least(best[static_cast<std::size_t>(way)], run(way, path));
    }
  }
  const auto& [heapcheck, piped, simdjson] = best;
  fmt::print("{}: {:.0f} MB, {} rows, {} names, {} rounds\n", name, byte_count * 1e-6,
             heapcheck.extract.row_count, heapcheck.extract.name_count, rounds);
  print("heapcheck", heapcheck, simdjson, byte_count);
  print("from a pipe", piped, simdjson, byte_count);
  print("simdjson", simdjson, simdjson, byte_count);
  if (heapcheck.extract != simdjson.extract || piped.extract != simdjson.extract) fail("the columns differ");
}

int extract(const std::string& with, const std::string& path) {
  const Extract extract = with == "simdjson" ? extract_with_simdjson(path) : extract_with_heapcheck(path);
  return ::write(STDOUT_FILENO, &extract, sizeof extract) == sizeof extract ? 0 : 1;
}

void make_and_compare(TraceKind kind, const char* name, std::uint64_t megabytes, int rounds) {
  std::string path = "bench_chrome_XXXXXX";
  std::FILE* const file = ::fdopen(::mkstemp(path.data()), "w");
  if (file == nullptr) fail("cannot make a file here");
  write_trace(kind, megabytes * 1'000'000, file);
  const auto byte_count = static_cast<double>(std::ftell(file));
  std::fclose(file);
  compare(name, path, byte_count, rounds);
  ::unlink(path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "extract") == 0) return extract(argv[2], argv[3]);
  const int megabytes = argc > 1 ? std::atoi(argv[1]) : 200;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  if (megabytes < 1 || rounds < 1) {
    fmt::print(stderr, "usage: bench_chrome [MEGABYTES [ROUNDS]], where files may be made\n");
    return 2;
  }
  const auto size = static_cast<std::uint64_t>(megabytes);
  make_and_compare(TraceKind::legacy, "legacy", size, rounds);
  make_and_compare(TraceKind::heaps_v2, "heaps_v2", size, rounds);
  make_and_compare(TraceKind::mixed, "mixed", size, rounds);
  return 0;
}
