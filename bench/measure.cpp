#include "bench/measure.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <vector>

#include "formats/core/window.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::bench {
namespace {

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Reads the file as heapcheck does, in pieces of the size of a window.
std::uint64_t count_line_feeds(const std::string& path) {
  auto source = core::open_file(path);
  if (!source) return 0;
  std::vector<std::uint8_t> buffer(core::Window::default_capacity);
  std::uint64_t count = 0;
  for (auto got = (*source)->read(buffer); got && *got != 0; got = (*source)->read(buffer)) {
    const auto piece = core::ByteSpan(buffer).first(*got);
    count += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
  }
  return count;
}

int measure_counting(const std::string& path, int rounds) {
  std::uint64_t count = 0;
  const auto costs = measure_check(path, rounds, [&] {
    count = count_line_feeds(path);
    return count != 0;
  });
  if (!costs) return 1;
  const auto byte_count = static_cast<double>(std::filesystem::file_size(path));
  fmt::print("{:.0f} bytes, {} line feeds, rounds {}\n", byte_count, count, rounds);
  fmt::print("count {:.1f} ms ({:.0f} MB/s), check {:.1f} ms ({:.0f} MB/s) of CPU time, ratio {:.2f}, ",
             costs->other * 1e3, byte_count / costs->other * 1e-6, costs->check * 1e3,
             byte_count / costs->check * 1e-6, costs->ratio);
  fmt::print("peak memory {} KiB\n", costs->peak_kib);
  return 0;
}

}  // namespace

std::optional<CheckCosts> measure_check(const std::string& path, int rounds,
                                        const std::function<bool()>& other) {
  CheckCosts least;
  for (int round = 0; round < rounds; ++round) {
    const double start = cpu_seconds();
    const bool is_done = other();
    const double middle = cpu_seconds();
    const auto report = validate(path);
    const double end = cpu_seconds();
    if (!is_done || report.verdict != Verdict::valid) return std::nullopt;
    least.other = std::min(least.other, middle - start);
    least.check = std::min(least.check, end - middle);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  least.ratio = least.check / least.other;
  least.peak_kib = usage.ru_maxrss;
  return least;
}

int measure_against_counting(
    int argc, char** argv, const char* usage,
    const std::function<bool(const std::string& dump, const std::string& out)>& write) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::string dump = argc > 1 ? argv[1] : "";
  const std::string name = fmt::format("bench_mvmheap.{}", std::time(nullptr));
  const std::string made = (std::filesystem::temp_directory_path() / name).string();
  if (rounds < 1 || !write(dump, made)) {
    fmt::print(stderr, "usage: {}\n", usage);
    return 2;
  }
  const int status = measure_counting(made, rounds);
  std::filesystem::remove(made);
  return status;
}

}  // namespace heapcheck::bench
