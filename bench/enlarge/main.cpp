// Makes a large dump from a small one:
//   bench_enlarge SEED SIZE OUT [FORMAT]
// SIZE is the number of collectables of a MoarVM dump, and otherwise a number of bytes. FORMAT is the version
// in which a MoarVM dump is written, such as `mvmheap-v2`; by default, the seed's version.
#include <fmt/core.h>

#include <cstdlib>

#include "bench/enlarge/enlarge.hpp"
#include "formats/core/source.hpp"
#include "formats/format.hpp"

namespace heapcheck::bench {

Limits no_limits() {
  Limits limits;
  limits.max_memory = std::uint64_t{1} << 40;
  return limits;
}

namespace {

Result<void> enlarge_dump(formats::OpenedInput& seed, std::uint64_t size, std::string_view name,
                          core::ByteSink& out) {
  Format format = *seed.detection.format;
  for (const formats::FormatInfo& info : formats::all_info()) {
    if (info.version != nullptr && info.slug == name) format = info.format;
  }
  return enlarge_mvmheap(seed, format, size, out);
}

Result<void> enlarge(const char* path, std::uint64_t size, std::string_view name, core::ByteSink& out) {
  auto source = core::open_file(path);
  if (!source) return std::unexpected(source.error());
  auto seed = formats::open(std::move(*source), no_limits());
  if (!seed) return std::unexpected(seed.error());
  switch (*seed->detection.format) {
    case Format::mvmheap_v1:
    case Format::mvmheap_v2:
    case Format::mvmheap_v3:
      return enlarge_dump(*seed, size, name, out);
    case Format::v8_heapsnapshot:
      return enlarge_heapsnapshot(*seed, size, out);
    case Format::chrome_legacy:
    case Format::heaps_v2:
    case Format::chrome_trace:
      return enlarge_trace(*seed, path, size, out);
    case Format::v8_heapprofile:
      break;
  }
  return std::unexpected(Error{ErrorKind::unsupported, "has a format that is not enlarged"});
}

int run(const char* path, const char* size, const char* target, const char* format) {
  auto file = core::OutputFile::create(target, {.is_durable = false});
  auto done = file ? enlarge(path, std::strtoull(size, nullptr, 10), format, *file)
                   : Result<void>(std::unexpected(file.error()));
  if (done) done = file->commit();
  if (done) return 0;
  fmt::print(stderr, "bench_enlarge: {}: {}\n", path, done.error().message);
  return 1;
}

}  // namespace
}  // namespace heapcheck::bench

int main(int argc, char** argv) {
  if (argc == 4 || argc == 5)
    return heapcheck::bench::run(argv[1], argv[2], argv[3], argc == 5 ? argv[4] : "");
  fmt::print(
      stderr,
      "usage: bench_enlarge SEED SIZE OUT [FORMAT], with a number of collectables for a MoarVM dump, and "
      "otherwise of bytes\n");
  return 2;
}
