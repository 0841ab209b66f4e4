// Measures the highest possible speed for typical work on a file:
//   bench_limits lines FILE     reads it in pieces and counts its line feeds
//   bench_limits copy FILE      reads it into memory and copies the memory with memcpy
//   bench_limits frames FILE    decompresses the zstd frames of a MoarVM version 3 dump
//   bench_limits compress FILE  does the same, and then compresses each again; prints the cost of only the
//   compression
#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/peers/clock.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace {

using namespace heapcheck;
namespace v3 = mvmheap::v3;

using Bytes = std::vector<std::uint8_t>;

/// Returns the number of line feeds.
std::uint64_t count_lines(core::ByteSource& source) {
  Bytes buffer(core::Window::default_capacity);
  std::uint64_t count = 0;
  for (auto got = source.read(buffer); got && *got != 0; got = source.read(buffer))
    count += static_cast<std::uint64_t>(std::ranges::count(core::ByteSpan(buffer).first(*got), '\n'));
  return count;
}

/// Returns whether the file could be read.
bool copy(core::ByteSource& source, std::size_t byte_count) {
  const std::unique_ptr<std::uint8_t[]> first(new std::uint8_t[byte_count]);
  const std::unique_ptr<std::uint8_t[]> second(new std::uint8_t[byte_count]);
  std::size_t size = 0;
  for (std::size_t got = 1; got != 0; size += got)
    got = source.read(std::span(first.get() + size, byte_count - size)).value_or(0);
  std::memcpy(second.get(), first.get(), byte_count);
  return size == byte_count && second[byte_count / 2] == first[byte_count / 2];
}

/// Decompresses a frame at the start of the window with libzstd's streaming interface, into buffers of the
/// recommended sizes. `use` is called with each piece. Returns the number of bytes of content.
template <class Use>
std::uint64_t decompress(core::Window& window, ::ZSTD_DCtx* context, Bytes& output, const Use& use) {
  std::uint64_t content = 0;
  ::ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  for (std::size_t status = 1; status != 0;) {
    const core::ByteSpan input = window.peek(::ZSTD_DStreamInSize());
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    status = ::ZSTD_decompressStream(context, &out, &in);
    if (::ZSTD_isError(status) != 0 || (in.pos == 0 && out.pos == 0)) return 0;
    window.consume(in.pos);
    content += out.pos;
    use(core::ByteSpan(output).first(out.pos));
  }
  return content;
}

std::uint64_t read_number(core::Window& window) {
  const core::ByteSpan bytes = window.peek(sizeof(std::uint64_t));
  if (bytes.size() < sizeof(std::uint64_t)) return 0;
  const auto number = core::decode_le<std::uint64_t>(bytes.data());
  window.consume(sizeof(std::uint64_t));
  return number;
}

/// Calls `read_frame` at each frame of the dump; `read_frame` returns whether it could read the frame.
template <class ReadFrame>
bool walk_frames(core::Window& window, const ReadFrame& read_frame) {
  constexpr std::uint64_t entry_bytes = 24;
  window.skip(v3::magic.size());
  while (!window.at_end()) {
    std::string_view name = core::as_text(window.peek(v3::kind_bytes).first(v3::kind_bytes));
    const v3::BlockKind kind = v3::find_kind(name.substr(0, name.find('\0')));
    if (kind == v3::BlockKind::unknown) return false;
    window.skip(v3::kind_bytes);
    const v3::BlockShape shape = v3::info_of(kind).shape;
    if (shape == v3::BlockShape::column) window.skip(sizeof(std::uint16_t));
    const std::uint64_t size = read_number(window);
    if (shape == v3::BlockShape::meta) window.skip(size);
    if (shape == v3::BlockShape::toc) window.skip(size * entry_bytes + sizeof(std::uint64_t));
    const bool is_frame = shape == v3::BlockShape::column || shape == v3::BlockShape::strings;
    if (is_frame && !read_frame(window)) return false;
  }
  return true;
}

bool decompress_frames(core::Window& window) {
  const std::unique_ptr<::ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context(::ZSTD_createDCtx(),
                                                                         ::ZSTD_freeDCtx);
  Bytes output(::ZSTD_DStreamOutSize());
  return walk_frames(window, [&](core::Window& at) {
    return decompress(at, context.get(), output, [](core::ByteSpan) {}) != 0;
  });
}

/// Compresses each piece as it arrives, like the writer.
bool compress_frames(core::Window& window) {
  constexpr int level = 9;
  const std::unique_ptr<::ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context(::ZSTD_createDCtx(),
                                                                         ::ZSTD_freeDCtx);
  const std::unique_ptr<::ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> compressor(::ZSTD_createCCtx(),
                                                                            ::ZSTD_freeCCtx);
  ::ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_compressionLevel, level);
  ::ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_contentSizeFlag, 0);
  Bytes output(::ZSTD_DStreamOutSize());
  Bytes compressed(::ZSTD_CStreamOutSize());
  bench::Clock clock;
  const auto put = [&](core::ByteSpan piece, ::ZSTD_EndDirective end) {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    for (std::size_t left = 1; left != 0 && ::ZSTD_isError(left) == 0;) {
      ZSTD_outBuffer out{compressed.data(), compressed.size(), 0};
      left = ::ZSTD_compressStream2(compressor.get(), &out, &in, end);
      if (end == ZSTD_e_continue && in.pos == in.size) break;
    }
  };
  const bool is_done = walk_frames(window, [&](core::Window& at) {
    const bool is_read = decompress(at, context.get(), output, [&](core::ByteSpan piece) {
                           clock.start();
                           put(piece, ZSTD_e_continue);
                           clock.stop();
                         }) != 0;
    clock.start();
    put({}, ZSTD_e_end);
    clock.stop();
    return is_read;
  });
  clock.print();
  return is_done;
}

bool run(std::string_view limit, const char* path, core::ByteSource& source) {
  if (limit == "lines") return count_lines(source) != 0;
  if (limit == "copy") return copy(source, std::filesystem::file_size(path));
  core::Window window(source);
  if (limit == "frames") return decompress_frames(window);
  return limit == "compress" && compress_frames(window);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_limits lines|copy|frames|compress FILE\n");
    return 2;
  }
  auto source = core::open_file(argv[2]);
  return source && run(argv[1], argv[2], **source) ? 0 : 1;
}
