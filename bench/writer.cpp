// Writes a MoarVM dump again, in version 3 with zstd level 9, and discards the result:
//   bench_writer FILE
// Prints the time taken by the writer alone.
#include <fmt/core.h>

#include "bench/peers/clock.hpp"
#include "formats/mvmheap/v3/writer.hpp"
#include "formats/open.hpp"

namespace {

using namespace heapcheck;

class NoSink final : public core::ByteSink {
 public:
  Result<void> write(core::ByteSpan) override { return {}; }
};

bool write_again(mvmheap::DumpReader& reader) {
  NoSink out;
  bench::Clock clock;
  std::unique_ptr<mvmheap::v3::Writer> writer;
  while (const mvmheap::Part* part = reader.read_part()) {
    if (!writer) writer = std::make_unique<mvmheap::v3::Writer>(out, *reader.file_meta());
    clock.start();
    const bool is_written = writer->write_part(*part, reader.tables()).has_value();
    clock.stop();
    if (!is_written) return false;
  }
  clock.print();
  return writer != nullptr;
}

bool run(const char* path) {
  const auto source = core::open_seekable(path);
  core::SilentSink sink;
  if (!source) return false;
  const auto dump = formats::open_mvmheap(**source, Limits{}, sink);
  return dump && dump->format == Format::mvmheap_v3 && write_again(*dump->reader);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return run(argv[1]) ? 0 : 1;
  fmt::print(stderr, "usage: bench_writer FILE, with a MoarVM version 3 dump\n");
  return 2;
}
