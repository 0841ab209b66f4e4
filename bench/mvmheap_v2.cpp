// Compares the cost of checking a version 2 dump with that of reading the same file and counting its line
// feeds: measures the CPU time of both, alternately in one run, on the decompressed dump. Prints the lowest
// time of each, their ratio, and the peak memory.
#include <string>

#include "bench/measure.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/reader.hpp"

namespace {

using namespace heapcheck;

/// Writes the dump at `path` to `out`, decompressed if necessary. Returns whether the file is a dump.
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

}  // namespace

int main(int argc, char** argv) {
  return bench::measure_against_counting(argc, argv, "bench_mvmheap_v2 DUMP [ROUNDS], with a version 2 dump",
                                         unwrap_to);
}
