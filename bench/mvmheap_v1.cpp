// Compares the cost of checking a version 1 dump with that of reading the same file and counting its line
// feeds: measures the CPU time of both, alternately in one run, on a file that repeats the dump's snapshots.
// Prints the lowest time of each, their ratio, and the peak memory.
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"
#include "validate/collector.hpp"

namespace {

using namespace heapcheck;

constexpr std::uint64_t wanted_bytes = 200'000'000;

/// Writes the snapshots of the dump at `path` to `out` repeatedly until `out` is large. Returns whether that
/// worked.
bool write_large(const std::string& path, const std::string& out) {
  auto source = core::open_file(path);
  auto file = core::OutputFile::create(out);
  if (!source || !file) return false;
  core::Window window(**source);
  validation::Collector collector(1);
  mvmheap::v1::FrontReader reader(window, Limits{}, collector);
  std::vector<mvmheap::v1::LinePart> parts;
  for (mvmheap::v1::LinePart part; reader.read_part(part);) parts.push_back(part);
  const std::uint64_t byte_count = reader.container().byte_count;
  if (parts.empty() || !parts.front().has_whole_graph || byte_count == 0) return false;
  mvmheap::v1::Writer writer(*file);
  for (std::uint64_t written = 0; written < wanted_bytes; written += byte_count) {
    for (const auto& part : parts) {
      if (!writer.write_part(part, reader.tables())) return false;
    }
  }
  return writer.finish(reader.tables()) && file->commit();
}

}  // namespace

int main(int argc, char** argv) {
  return bench::measure_against_counting(argc, argv, "bench_mvmheap_v1 DUMP [ROUNDS], with a version 1 dump",
                                         write_large);
}
