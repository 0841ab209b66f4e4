#include "formats/core/spool.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "formats/core/transport/retry.hpp"

namespace heapcheck::core {
namespace {

using Stream = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

std::unexpected<Error> make_error(std::string_view what, int code) {
  const ErrorKind kind = code == ENOMEM ? ErrorKind::limit : ErrorKind::unreadable;
  return std::unexpected(Error{kind, std::string(what) + ": " + std::generic_category().message(code)});
}

/// An unnamed temporary file.
class SpooledFile final : public SeekableSource {
 public:
  SpooledFile(Stream stream, std::uint64_t byte_count)
      : stream_(std::move(stream)), byte_count_(byte_count) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return byte_count_; }

  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override {
    const int descriptor = ::fileno(stream_.get());
    const ssize_t got =
        retry([&] { return ::pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(offset)); });
    if (got < 0) return make_error("the temporary copy of the input cannot be read", errno);
    return static_cast<std::size_t>(got);
  }

 private:
  Stream stream_;
  std::uint64_t byte_count_;
};

Result<std::unique_ptr<SeekableSource>> copy_to_temporary(ByteSource& source, const Limits& limits) {
  Stream stream(nullptr, &std::fclose);
  retry([&] {
    stream.reset(std::tmpfile());
    return stream ? 0 : -1;
  });
  if (!stream) return make_error("a temporary copy of the input cannot be made", errno);
  std::vector<std::uint8_t> buffer(std::size_t{256} * 1024);
  std::uint64_t byte_count = 0;
  for (;;) {
    const auto got = source.read(buffer);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    byte_count += *got;
    if (byte_count > limits.max_input)
      return std::unexpected(Error{ErrorKind::limit, "is larger than the limit for inputs"});
    if (std::fwrite(buffer.data(), 1, *got, stream.get()) != *got)
      return make_error("a temporary copy of the input cannot be written", errno);
  }
  if (retry([&] { return std::fflush(stream.get()); }) != 0)
    return make_error("a temporary copy of the input cannot be written", errno);
  return std::make_unique<SpooledFile>(std::move(stream), byte_count);
}

}  // namespace

Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string& path, const Limits& limits) {
  std::error_code code;
  // The files in /proc have no size and may be different each time, so they are copied like a pipe.
  if (path != "-" && std::filesystem::is_regular_file(path, code) &&
      std::filesystem::file_size(path, code) != 0)
    return open_seekable(path);
  if (path == "-") return copy_to_temporary(*open_standard_input(), limits);
  auto source = open_file(path);
  if (!source) return std::unexpected(std::move(source.error()));
  return copy_to_temporary(**source, limits);
}

}  // namespace heapcheck::core
