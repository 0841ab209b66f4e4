#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "formats/core/source.hpp"
#include "formats/core/transport/system_call.hpp"

namespace heapcheck::core {
namespace {

using Stream = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

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
    if (got < 0) return make_system_error("the temporary copy of the input cannot be read", errno);
    return static_cast<std::size_t>(got);
  }

 private:
  Stream stream_;
  std::uint64_t byte_count_;
};

std::string find_temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : P_tmpdir;
}

/// Makes an unnamed file that only its owner can read. If the file system does not support unnamed files, the
/// file has a name for a moment. If the file cannot be made, returns null and sets errno.
Stream make_temporary(const std::string& folder) {
  int descriptor =
      retry([&] { return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR); });
  if (descriptor < 0) {
    std::string path = folder + "/heapcheck-XXXXXX";
    descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(path.c_str());
  }
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (descriptor >= 0 && file == nullptr) {
    const int error = errno;
    ::close(descriptor);
    errno = error;
  }
  return {file, &std::fclose};
}

/// Passes the start of the copy to the check.
Result<void> check_copy(const StartCheck& check_start, const Stream& stream, std::size_t byte_count) {
  std::vector<std::uint8_t> start(byte_count);
  if (std::fflush(stream.get()) != 0) return {};  // the next write reports this
  const ssize_t got = retry([&] { return ::pread(::fileno(stream.get()), start.data(), byte_count, 0); });
  return got < 0 ? Result<void>{} : check_start(ByteSpan(start).first(static_cast<std::size_t>(got)));
}

Result<std::unique_ptr<SeekableSource>> copy_to_temporary(ByteSource& source, const Limits& limits,
                                                          const StartCheck& check_start) {
  constexpr std::size_t start_bytes = std::size_t{1} << 20;
  const std::string folder = find_temporary_folder();
  const auto fail = [&](std::string_view verb) {
    // This comes first, because making the message could change errno.
    const int code = errno;
    return make_system_error(
        "a temporary copy of the input cannot be " + std::string(verb) + " in the folder " + folder, code);
  };
  Stream stream = make_temporary(folder);
  if (!stream) return fail("made");
  std::vector<std::uint8_t> buffer(std::size_t{256} * 1024);
  std::uint64_t byte_count = 0;
  bool is_checked = false;
  for (;;) {
    const auto got = source.read(buffer);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    byte_count += *got;
    // A pipe may never end.
    if (byte_count > limits.max_input)
      return std::unexpected(Error{ErrorKind::limit, "is larger than the limit for inputs"});
    if (std::fwrite(buffer.data(), 1, *got, stream.get()) != *got) return fail("written");
    if (!check_start || is_checked || byte_count <= start_bytes) continue;
    is_checked = true;
    if (auto accepted = check_copy(check_start, stream, start_bytes); !accepted)
      return std::unexpected(std::move(accepted.error()));
  }
  if (retry([&] { return std::fflush(stream.get()); }) != 0) return fail("written");
  return std::make_unique<SpooledFile>(std::move(stream), byte_count);
}

}  // namespace

Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string& path, const Limits& limits,
                                                        const StartCheck& check_start) {
  std::error_code code;
  // Files in /proc have no size and may differ each time they are read, so they are copied like a pipe.
  if (path != "-" && std::filesystem::is_regular_file(path, code) &&
      std::filesystem::file_size(path, code) != 0)
    return open_seekable(path);
  if (path == "-") return copy_to_temporary(*open_standard_input(), limits, check_start);
  auto source = open_file(path);
  if (!source) return std::unexpected(std::move(source.error()));
  return copy_to_temporary(**source, limits, check_start);
}

}  // namespace heapcheck::core
