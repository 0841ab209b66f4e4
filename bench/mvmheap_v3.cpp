// Compares the cost of checking a version 3 dump with that of just decompressing its frames with libzstd:
// measures the CPU time of both, alternately in one run. Prints the lowest time of each, their ratio, and the
// peak memory.
#include <fmt/core.h>
#include <zstd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/reader.hpp"

namespace {

using namespace heapcheck;

std::vector<Span> find_frames(const std::string& path) {
  auto source = core::open_file(path);
  if (!source) return {};
  core::Window window(**source);
  if (!mvmheap::v3::is_v3(window.peek(16))) return {};
  core::SilentSink sink;
  mvmheap::v3::FrontReader reader(window, Limits{}, sink);
  mvmheap::v3::BlockPart part;
  while (reader.read_part(part)) {
  }
  std::vector<Span> frames;
  for (const mvmheap::v3::Block& block : reader.container().blocks) {
    if (block.expanded != 0) frames.push_back(block.content);
  }
  return frames;
}

/// Reads the file as heapcheck does, and decompresses each frame with libzstd's streaming interface into
/// buffers of the recommended sizes. Returns the number of bytes of content.
std::uint64_t decompress_frames(const std::string& path, const std::vector<Span>& frames) {
  auto source = core::open_file(path);
  if (!source) return 0;
  core::Window window(**source);
  const std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context(::ZSTD_createDCtx(), ::ZSTD_freeDCtx);
  std::vector<std::uint8_t> output(::ZSTD_DStreamOutSize());
  std::uint64_t content = 0;
  for (const Span& frame : frames) {
    window.skip(frame.offset - window.offset());
    ::ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
    for (std::size_t status = 1; status != 0;) {
      const core::ByteSpan input = window.peek(::ZSTD_DStreamInSize());
      ZSTD_inBuffer in{input.data(), input.size(), 0};
      ZSTD_outBuffer out{output.data(), output.size(), 0};
      status = ::ZSTD_decompressStream(context.get(), &out, &in);
      if (::ZSTD_isError(status) != 0 || (in.pos == 0 && out.pos == 0)) return 0;
      window.consume(in.pos);
      content += out.pos;
    }
  }
  return content;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::string path = argc > 1 ? argv[1] : "";
  const auto frames = find_frames(path);
  if (frames.empty() || rounds < 1) {
    fmt::print(stderr, "usage: bench_mvmheap_v3 DUMP [ROUNDS], with a version 3 dump\n");
    return 2;
  }
  std::uint64_t content = 0;
  const auto costs = bench::measure_check(path, rounds, [&] {
    content = decompress_frames(path, frames);
    return content != 0;
  });
  if (!costs) return 1;
  fmt::print("frames {}, content {} bytes, rounds {}\n", frames.size(), content, rounds);
  fmt::print("decompress {:.1f} ms, check {:.1f} ms of CPU time, ratio {:.3f}, peak memory {} KiB\n",
             costs->other * 1e3, costs->check * 1e3, costs->ratio, costs->peak_kib);
  return 0;
}
