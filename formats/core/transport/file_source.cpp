#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "formats/core/source.hpp"
#include "formats/core/transport/system_call.hpp"
#include "formats/core/transport/unchanged_source.hpp"

namespace heapcheck::core {
namespace {

/// A file descriptor, which the destructor closes unless it is borrowed.
class Descriptor {
 public:
  explicit Descriptor(int number, bool owned = true) : number_(number), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept
      : number_(other.number_), owned_(std::exchange(other.owned_, false)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

std::unexpected<Error> refuse_folder() {
  return std::unexpected(Error{ErrorKind::unreadable, "is a folder, not a file"});
}

Result<Descriptor> open_descriptor(const std::string& path) {
  const int number = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  struct stat status{};
  if (number < 0) {
    const int code = errno;
    // In the sandbox of the program, a folder cannot be opened.
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return refuse_folder();
    return make_system_error("cannot be opened", code);
  }
  Descriptor descriptor(number);
  if (::fstat(number, &status) != 0) return make_system_error("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) return refuse_folder();
  return descriptor;
}

/// Lets the writer of a pipe run further ahead, which avoids most of the switches between the two processes.
/// Has no effect on other files or if the system does not allow it.
void widen_pipe(int number) {
  constexpr int wide = 1 << 20;  // bytes
  const int size = ::fcntl(number, F_GETPIPE_SZ);
  if (size > 0 && size < wide) ::fcntl(number, F_SETPIPE_SZ, wide);
}

FileIdentity make_identity(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .byte_count = static_cast<std::uint64_t>(status.st_size),
          .modified_seconds = status.st_mtim.tv_sec,
          .modified_nanoseconds = status.st_mtim.tv_nsec};
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(Descriptor descriptor)
      : descriptor_(std::move(descriptor)), start_(::lseek(descriptor_.number(), 0, SEEK_CUR)) {
    widen_pipe(descriptor_.number());
  }

  Result<std::size_t> read(MutableByteSpan buffer) override {
    const ssize_t got = retry([&] { return ::read(descriptor_.number(), buffer.data(), buffer.size()); });
    if (got < 0) return make_system_error("cannot be read", errno);
    return static_cast<std::size_t>(got);
  }
  bool rewind() override { return start_ >= 0 && ::lseek(descriptor_.number(), start_, SEEK_SET) == start_; }

 private:
  Descriptor descriptor_;
  off_t start_;  // the offset of the first byte; negative if the file is a pipe
};

class SeekableFile final : public SeekableSource {
 public:
  SeekableFile(Descriptor descriptor, const FileIdentity& identity)
      : descriptor_(std::move(descriptor)), identity_(identity) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return identity_.byte_count; }
  [[nodiscard]] std::optional<FileIdentity> identity() const override { return identity_; }

  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override {
    const ssize_t got = retry([&] {
      return ::pread(descriptor_.number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    });
    if (got < 0) return make_system_error("cannot be read", errno);
    return static_cast<std::size_t>(got);
  }

 private:
  Descriptor descriptor_;
  FileIdentity identity_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  auto descriptor = open_descriptor(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  return std::make_unique<FileSource>(std::move(*descriptor));
}

Result<std::unique_ptr<SeekableSource>> open_seekable(const std::string& path) {
  auto descriptor = open_descriptor(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  struct stat status{};
  if (::fstat(descriptor->number(), &status) != 0) return make_system_error("cannot be read", errno);
  if (!S_ISREG(status.st_mode)) return std::unexpected(Error{ErrorKind::unreadable, "is not a regular file"});
  return std::make_unique<UnchangedSource>(
      std::make_unique<SeekableFile>(std::move(*descriptor), make_identity(status)));
}

std::optional<FileIdentity> identify_file(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return make_identity(status);
}

std::unique_ptr<ByteSource> open_standard_input() {
  return std::make_unique<FileSource>(Descriptor(STDIN_FILENO, false));
}

}  // namespace heapcheck::core
