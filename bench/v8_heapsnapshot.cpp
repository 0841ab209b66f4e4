// Compares the cost of checking a V8 heap snapshot with all rules with that of simdjson's on-demand parser,
// which reads the same numbers into 32-bit arrays and all strings into one buffer, without any checks. Each
// runs in its own process, which opens the file, reads it and ends. Prints the lowest time of each, their
// ratio, and the peak memory, including for reading from a pipe.
#include <fmt/core.h>
#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/processes.hpp"
#include "bench/v8_snapshots.hpp"
#include "heapcheck/validate.hpp"

namespace {

using namespace heapcheck;
using bench::Costs;

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

void print(const char* name, const Costs& run, const Costs& base, double byte_count) {
  fmt::print("  {:<12} {:6.0f} MB/s, {:6.0f} MB/s by CPU time; {:.2f} times as fast ({:.2f} by CPU time);",
             name, byte_count / run.seconds * 1e-6, byte_count / run.cpu_seconds * 1e-6,
             base.seconds / run.seconds, base.cpu_seconds / run.cpu_seconds);
  fmt::print(" peak {:.1f} MiB\n", static_cast<double>(run.peak_bytes) / (1 << 20));
}

void compare(const std::string& path, double byte_count, int rounds) {
  Costs checked;
  Costs piped;
  Costs simdjson;
  for (int round = 0; round < rounds; ++round) {
    simdjson.keep_least(bench::run_self("read", "simdjson", path, false, -1));
    checked.keep_least(bench::run_self("read", "heapcheck", path, false, -1));
    piped.keep_least(bench::run_self("read", "heapcheck", path, true, -1));
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
               "usage: bench_v8_heapsnapshot [MEGABYTES [ROUNDS]], in a folder where files may be created\n"
               "       bench_v8_heapsnapshot make MEGABYTES   writes such a snapshot to standard output\n");
    return 2;
  }
  const bench::MadeFile file(
      [&](std::FILE* out) { bench::write_snapshot(static_cast<std::uint64_t>(megabytes) * 1'000'000, out); });
  compare(file.path(), file.byte_count(), rounds);
  return 0;
}
