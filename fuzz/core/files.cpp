// Property: bytes written to a file in pieces of any size are read back unchanged however they are opened: as
// a file, at any offset, through a pipe, or copied from a pipe. Compression around them is removed in the
// same way as in memory, and a file that is not committed keeps its old content.
#include <unistd.h>

#include <algorithm>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "fuzz/support/inputs.hpp"
#include "fuzz/support/scratch_folder.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Reads to the end or up to the first error.
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
  core::OutputFile out = core::OutputFile::create(path, {.mode = 0600}).value();
  for (core::ByteSpan rest = bytes; !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
    require(out.write(rest.first(std::min(piece, rest.size()))).has_value(), "it can be written");
  }
  require(std::ranges::equal(read_all(*out.open_written().value()), bytes), "it is read back");
  if (commits) require(out.commit().has_value(), "it gets its name");
}

template <class Open>
auto open_pipe(core::ByteSpan bytes, Open&& open) {
  int ends[2];
  require(::pipe(ends) == 0, "a pipe can be made");
  require(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "it is filled");
  ::close(ends[1]);
  auto source = open("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  return std::move(source.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  const core::ByteSpan bytes(data, std::min<std::size_t>(size, 60'000));  // as many as a pipe can hold
  const auto is_same = [&](core::ByteSource& source) { return std::ranges::equal(read_all(source), bytes); };
  const auto spool = [](const std::string& name) { return core::open_rereadable(name, fuzz::make_limits()); };
  const std::string path = folder.file("dump");
  write(path, bytes, 1 + bytes.size() / 3, true);
  write(path, core::as_bytes("another"), SIZE_MAX, false);
  require(folder.count_files() == 1, "nothing else is left");
  require(is_same(**core::open_file(path)), "it is read from front to back");
  require(is_same(*open_pipe(bytes, core::open_file)), "a pipe is read in the same way");
  const std::unique_ptr<core::SeekableSource> sources[]{std::move(*spool(path)), open_pipe(bytes, spool)};
  for (const auto& source : sources) {
    core::RangeSource whole(*source, 0);
    core::RangeSource half(*source, size / 2);
    require(source->byte_count() == bytes.size() && is_same(whole), "it is read in full");
    require(std::ranges::equal(read_all(half), bytes.subspan(std::min(size / 2, bytes.size()))),
            "it can be read from any offset");
  }
  require(unwrap(*core::open_file(path)) == unwrap(std::make_unique<core::MemorySource>(bytes)),
          "compression around it is removed");
  return 0;
}
