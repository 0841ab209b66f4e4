// Property: what is written into a file, in pieces of any size, comes back by every way to open one: as a
// file, at any place, through a pipe, and copied from a pipe; what is around it is taken off as in memory;
// and a file that is not committed is left as it was.
#include <unistd.h>

#include <algorithm>

#include "formats/core/output_file.hpp"
#include "formats/core/spool.hpp"
#include "fuzz/support/inputs.hpp"
#include "fuzz/support/scratch_folder.hpp"

using namespace heapcheck;
using fuzz::require;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// What a source gives before its end or its first error.
Bytes read_all(core::ByteSource& source) {
  Bytes bytes;
  for (Bytes buffer(4000); bytes.size() < 1'000'000;) {
    const auto got = source.read(buffer);
    if (!got || *got == 0) break;
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
  }
  return bytes;
}

Bytes unwrap(std::unique_ptr<core::ByteSource> raw) {
  auto input = core::unwrap(std::move(raw), fuzz::make_limits());
  return input ? read_all(*input->source) : Bytes();
}

void write(const std::string& path, core::ByteSpan bytes, std::size_t piece, bool commits) {
  auto out = core::OutputFile::create(path, 0600);
  require(out.has_value(), "a file can be made");
  for (core::ByteSpan rest = bytes; !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
    require(out->write(rest.first(std::min(piece, rest.size()))).has_value(), "and written");
  }
  const auto written = out->open_written();
  require(written && std::ranges::equal(read_all(**written), bytes),
          "it can be looked at before it has its name");
  if (commits) require(out->commit().has_value(), "and named");
}

template <class Open>
auto open_pipe(core::ByteSpan bytes, Open&& open) {
  int ends[2];
  require(::pipe(ends) == 0, "a pipe can be made");
  require(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "and filled");
  ::close(ends[1]);
  auto source = open("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  require(source.has_value(), "and opened");
  return std::move(*source);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  const core::ByteSpan bytes(data, std::min<std::size_t>(size, 60'000));  // a pipe holds as much
  const auto is_same = [&](core::ByteSource& source) { return std::ranges::equal(read_all(source), bytes); };
  const auto spool = [](const std::string& name) { return core::open_rereadable(name, fuzz::make_limits()); };
  const std::string path = folder.file("dump");
  write(path, bytes, 1 + bytes.size() / 3, true);
  write(path, core::as_bytes("another"), SIZE_MAX, false);
  require(folder.count_files() == 1, "nothing else is left");
  require(is_same(**core::open_file(path)), "it is read from front to back");
  require(is_same(*open_pipe(bytes, core::open_file)), "and so through a pipe");
  const std::unique_ptr<core::SeekableSource> sources[]{std::move(*spool(path)), open_pipe(bytes, spool)};
  for (const auto& source : sources) {
    core::RangeSource range(*source, 0);
    require(source->byte_count() == bytes.size() && is_same(range), "at any place, copied or not");
  }
  require(unwrap(*core::open_file(path)) == unwrap(std::make_unique<core::MemorySource>(bytes)),
          "what is around it is taken off");
  return 0;
}
