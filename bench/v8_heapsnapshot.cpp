// What checking a V8 heap snapshot with all rules costs, against simdjson's on-demand parser reading the same
// numbers into arrays of 32 bits and the strings into one text, without any check: each in a process of its
// own, which opens the file, reads it and ends. Prints the least time of each and their ratio, and the peak
// memory, also from a pipe.
#include <fcntl.h>
#include <fmt/core.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/v8_snapshots.hpp"
#include "heapcheck/validate.hpp"

namespace {

using namespace heapcheck;

/// One run of this program that reads, seen from outside.
struct Run {
  double seconds = 1e9;      ///< from its start to its end
  double cpu_seconds = 1e9;  ///< of the process
  std::uint64_t peak_bytes = 0;
};

[[noreturn]] void fail(std::string_view what) {
  fmt::print(stderr, "bench_v8_heapsnapshot: {}\n", what);
  std::exit(1);
}

void read_numbers(simdjson::ondemand::array array, std::vector<std::uint32_t>& out) {
  for (auto element : array) out.push_back(static_cast<std::uint32_t>(std::uint64_t{element.get_uint64()}));
}

int read_with_simdjson(const std::string& path) {
  auto json = simdjson::padded_string::load(path);
  simdjson::ondemand::parser parser;
  auto document = parser.iterate(json.value());
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> edges;
  std::string text;
  std::vector<std::size_t> ends;
  for (auto field : document.get_object()) {
    const std::string_view key = field.unescaped_key();
    if (key == "nodes") read_numbers(field.value().get_array(), nodes);
    if (key == "edges") read_numbers(field.value().get_array(), edges);
    if (key != "strings") continue;
    for (auto element : field.value().get_array()) {
      text += std::string_view(element.get_string());
      ends.push_back(text.size());
    }
  }
  return nodes.empty() || edges.empty() || ends.empty() ? 1 : 0;
}

int check(const std::string& path) { return validate(path).verdict == Verdict::valid ? 0 : 1; }

pid_t start(std::array<const char*, 5> arguments, int input, int output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (input >= 0) ::dup2(input, STDIN_FILENO);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  ::execvp(arguments[0], const_cast<char**>(arguments.data()));
  ::_exit(127);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Run run(const char* with, const std::string& path, bool is_piped) {
  std::array<int, 2> piped{};
  if (::pipe2(piped.data(), O_CLOEXEC) != 0) fail("no pipe");
  const auto begin = std::chrono::steady_clock::now();
  const pid_t feeder = is_piped ? start({"cat", path.c_str()}, -1, piped[1]) : 0;
  const pid_t child =
      start({"/proc/self/exe", "read", with, is_piped ? "-" : path.c_str()}, is_piped ? piped[0] : -1, -1);
  for (const int end : piped) ::close(end);
  rusage usage{};
  int status = 0;
  if (::wait4(child, &status, 0, &usage) != child || status != 0) fail("a run failed");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (is_piped) ::waitpid(feeder, nullptr, 0);
  return {time.count(), seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

void keep_least(Run& best, const Run& run) {
  best.seconds = std::min(best.seconds, run.seconds);
  best.cpu_seconds = std::min(best.cpu_seconds, run.cpu_seconds);
  best.peak_bytes = std::max(best.peak_bytes, run.peak_bytes);
}

void print(const char* name, const Run& run, const Run& base, double byte_count) {
  fmt::print("  {:<12} {:6.0f} MB/s, {:6.0f} MB/s by CPU time; {:.2f} times as fast ({:.2f} by CPU time);",
             name, byte_count / run.seconds * 1e-6, byte_count / run.cpu_seconds * 1e-6,
             base.seconds / run.seconds, base.cpu_seconds / run.cpu_seconds);
  fmt::print(" peak {:.1f} MiB\n", static_cast<double>(run.peak_bytes) / (1 << 20));
}

void compare(const std::string& path, double byte_count, int rounds) {
  Run checked;
  Run piped;
  Run simdjson;
  for (int round = 0; round < rounds; ++round) {
    keep_least(simdjson, run("simdjson", path, false));
    keep_least(checked, run("heapcheck", path, false));
    keep_least(piped, run("heapcheck", path, true));
  }
  fmt::print("{:.0f} MB, {} rounds\n", byte_count * 1e-6, rounds);
  print("heapcheck", checked, simdjson, byte_count);
  print("from a pipe", piped, simdjson, byte_count);
  print("simdjson", simdjson, simdjson, byte_count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "read") == 0)
    return std::strcmp(argv[2], "simdjson") == 0 ? read_with_simdjson(argv[3]) : check(argv[3]);
  if (argc == 3 && std::strcmp(argv[1], "make") == 0) {
    bench::write_snapshot(std::strtoull(argv[2], nullptr, 10) * 1'000'000, stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  const int megabytes = argc > 1 ? std::atoi(argv[1]) : 195;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  if (megabytes < 1 || rounds < 1) {
    fmt::print(stderr,
               "usage: bench_v8_heapsnapshot [MEGABYTES [ROUNDS]], where files may be made\n"
               "       bench_v8_heapsnapshot make MEGABYTES writes such a snapshot to standard output\n");
    return 2;
  }
  std::string path = "bench_v8_XXXXXX";
  std::FILE* const file = ::fdopen(::mkstemp(path.data()), "w");
  if (file == nullptr) fail("cannot make a file here");
  bench::write_snapshot(static_cast<std::uint64_t>(megabytes) * 1'000'000, file);
  const auto byte_count = static_cast<double>(std::ftell(file));
  std::fclose(file);
  compare(path, byte_count, rounds);
  ::unlink(path.c_str());
  return 0;
}
