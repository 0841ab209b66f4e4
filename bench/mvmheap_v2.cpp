// What checking a version 2 dump costs against reading the same file and counting its line feeds: CPU time of
// both, in turns, in one run, over the dump as it is when decompressed. Prints the least of each and their
// ratio, and the peak memory.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "heapcheck/validate.hpp"

namespace {

using namespace heapcheck;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Writes the dump at `path` to `out`, decompressed if it is compressed; says whether it is one.
bool unwrap_to(const std::string& path, const std::string& out) {
  auto raw = core::open_file(path);
  if (!raw) return false;
  auto input = core::unwrap(std::move(*raw), Limits{});
  auto file = core::OutputFile::create(out);
  if (!input || !file) return false;
  core::Window window(*input->source);
  if (!mvmheap::v2::is_v2(window.peek(mvmheap::v2::magic.size()))) return false;
  while (!window.at_end()) {
    const core::ByteSpan bytes = window.peek(window.capacity());
    if (!file->write(bytes)) return false;
    window.consume(bytes.size());
  }
  return file->commit().has_value();
}

/// Reads the file as heapcheck does, in pieces of a window's size.
std::uint64_t count_lines(const std::string& path) {
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

int measure(const std::string& path, int rounds) {
  double least_count = 1e9;
  double least_check = 1e9;
  std::uint64_t line_count = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = cpu_seconds();
    line_count = count_lines(path);
    const double middle = cpu_seconds();
    const auto report = validate(path);
    const double end = cpu_seconds();
    if (report.verdict != Verdict::valid) return 1;
    least_count = std::min(least_count, middle - start);
    least_check = std::min(least_check, end - middle);
  }
  const auto byte_count = static_cast<double>(std::filesystem::file_size(path));
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:.0f} bytes, {} line feeds, rounds {}\n", byte_count, line_count, rounds);
  fmt::print("count {:.1f} ms ({:.0f} MB/s), check {:.1f} ms ({:.0f} MB/s) of CPU time, ratio {:.2f}, ",
             least_count * 1e3, byte_count / least_count * 1e-6, least_check * 1e3,
             byte_count / least_check * 1e-6, least_check / least_count);
  fmt::print("peak memory {} KiB\n", usage.ru_maxrss);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::string path = argc > 1 ? argv[1] : "";
  const std::string plain =
      (std::filesystem::temp_directory_path() / fmt::format("bench_mvmheap_v2.{}", std::time(nullptr)))
          .string();
  if (rounds < 1 || !unwrap_to(path, plain)) {
    fmt::print(stderr, "usage: bench_mvmheap_v2 DUMP [ROUNDS], with a version 2 dump\n");
    return 2;
  }
  const int status = measure(plain, rounds);
  std::filesystem::remove(plain);
  return status;
}
