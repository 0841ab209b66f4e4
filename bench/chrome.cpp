// Compares heapcheck and simdjson's on-demand parser by the cost of extracting the heap dumps from a Chrome
// trace. Each runs in its own process, which opens the file, reads it and ends. Prints the lowest time of
// each, their ratio, and the peak memory next to the size of the columns, including for reading from a pipe.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/chrome_extract.hpp"
#include "bench/chrome_traces.hpp"
#include "bench/processes.hpp"

namespace {

using namespace heapcheck::bench;

/// The lowest costs of the runs of one kind, and the content that they extracted.
struct Run {
  Costs costs;
  Extract extract;
};

enum class Way : std::uint8_t { heapcheck, heapcheck_pipe, simdjson };

void run(Way way, const std::string& path, Run& best) {
  const auto [answer, answer_in] = make_pipe();
  best.costs.keep_least(run_self("extract", way == Way::simdjson ? "simdjson" : "heapcheck", path,
                                 way == Way::heapcheck_pipe, answer_in));
  ::close(answer_in);
  if (::read(answer, &best.extract, sizeof best.extract) != sizeof best.extract) fail("a run failed");
  ::close(answer);
}

void print(const char* name, const Run& run, const Costs& base, double byte_count) {
  constexpr double mib = 1 << 20;
  const Costs& costs = run.costs;
  fmt::print(
      "  {:<15} {:6.0f} MB/s, {:6.1f} ms, {:6.1f} ms of CPU time; {:.2f} times as fast ({:.2f} by CPU time);",
      name, byte_count / costs.seconds * 1e-6, costs.seconds * 1e3, costs.cpu_seconds * 1e3,
      base.seconds / costs.seconds, base.cpu_seconds / costs.cpu_seconds);
  fmt::print(" peak {:.1f} MiB, columns {:.1f} MiB\n", static_cast<double>(costs.peak_bytes) / mib,
             static_cast<double>(run.extract.byte_count) / mib);
}

void compare(const char* name, const std::string& path, double byte_count, int rounds) {
  std::array<Run, 3> best;
  for (int round = 0; round < rounds; ++round) {
    for (const Way way : {Way::simdjson, Way::heapcheck, Way::heapcheck_pipe}) {
      run(way, path, best[static_cast<std::size_t>(way)]);
    }
  }
  const auto& [heapcheck, piped, simdjson] = best;
  fmt::print("{}: {:.0f} MB, {} rows, {} names, {} rounds\n", name, byte_count * 1e-6,
             heapcheck.extract.row_count, heapcheck.extract.name_count, rounds);
  print("heapcheck", heapcheck, simdjson.costs, byte_count);
  print("from a pipe", piped, simdjson.costs, byte_count);
  print("simdjson", simdjson, simdjson.costs, byte_count);
  if (heapcheck.extract != simdjson.extract || piped.extract != simdjson.extract) fail("the columns differ");
}

int extract(const std::string& with, const std::string& path) {
  const Extract extract = with == "simdjson" ? extract_with_simdjson(path) : extract_with_heapcheck(path);
  return ::write(STDOUT_FILENO, &extract, sizeof extract) == sizeof extract ? 0 : 1;
}

void make_and_compare(TraceKind kind, const char* name, std::uint64_t megabytes, int rounds) {
  const MadeFile file([&](std::FILE* out) { write_trace(kind, megabytes * 1'000'000, out); });
  compare(name, file.path(), file.byte_count(), rounds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "extract") == 0) return extract(argv[2], argv[3]);
  const int megabytes = argc > 1 ? std::atoi(argv[1]) : 200;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  if (megabytes < 1 || rounds < 1) {
    fmt::print(stderr, "usage: bench_chrome [MEGABYTES [ROUNDS]], in a folder where files may be created\n");
    return 2;
  }
  const auto size = static_cast<std::uint64_t>(megabytes);
  make_and_compare(TraceKind::legacy, "legacy", size, rounds);
  make_and_compare(TraceKind::heaps_v2, "heaps_v2", size, rounds);
  make_and_compare(TraceKind::mixed, "mixed", size, rounds);
  return 0;
}
