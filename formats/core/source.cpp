#include "formats/core/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "formats/core/transport/decoding_source.hpp"
#include "formats/core/transport/html_source.hpp"
#include "formats/core/transport/inflating_source.hpp"
#include "formats/core/transport/retry.hpp"
#include "formats/core/transport/unchanged_source.hpp"
#include "formats/core/transport/zip_source.hpp"

namespace heapcheck::core {
namespace {

std::unexpected<Error> make_error(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

std::unexpected<Error> make_system_error(const char* verb, int code) {
  return make_error(code == ENOMEM ? ErrorKind::limit : ErrorKind::unreadable,
                    std::string(verb) + ": " + std::generic_category().message(code));
}

/// A file descriptor, closed in the destructor unless it is borrowed.
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

Result<Descriptor> open_descriptor(const std::string& path) {
  const int number = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (number < 0) return make_system_error("cannot be opened", errno);
  Descriptor descriptor(number);
  struct stat status{};
  if (::fstat(number, &status) != 0) return make_system_error("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) return make_error(ErrorKind::unreadable, "is a folder, not a file");
  return descriptor;
}

/// Lets the writer of a pipe run further ahead, which saves most of the switches between the two processes.
/// Has no effect on other files, or if the system does not allow it.
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
  explicit FileSource(Descriptor descriptor) : descriptor_(std::move(descriptor)) {
    widen_pipe(descriptor_.number());
  }

  Result<std::size_t> read(MutableByteSpan buffer) override {
    const ssize_t got = retry([&] { return ::read(descriptor_.number(), buffer.data(), buffer.size()); });
    if (got < 0) return make_system_error("cannot be read", errno);
    return static_cast<std::size_t>(got);
  }

 private:
  Descriptor descriptor_;
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

constexpr std::array<std::uint8_t, 3> gzip_magic{0x1F, 0x8B, 0x08};
constexpr std::array<std::uint8_t, 4> zstd_magic{0x28, 0xB5, 0x2F, 0xFD};

bool starts_with(ByteSpan bytes, ByteSpan magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

/// Whether a zstd frame or a skippable frame, with which pzstd begins its files, comes next. spec: RFC
/// 8878, 3.1
bool starts_with_frame(ByteSpan bytes) {
  constexpr std::array<std::uint8_t, 3> skippable{0x2A, 0x4D, 0x18};
  if (starts_with(bytes, zstd_magic)) return true;
  return bytes.size() >= 4 && (bytes[0] & 0xF0U) == 0x50 && starts_with(bytes.subspan(1), skippable);
}

/// The end of the decoded bytes, or the reason why the source cannot be read to its end.
Result<std::size_t> finish(const Result<void>& ended) {
  if (!ended) return std::unexpected(ended.error());
  return std::size_t{0};
}

class GzipSource final : public InflatingSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : InflatingSource(std::move(source), limits, MAX_WBITS + gzip_framing, "gzip stream") {}

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override {
    if (!is_ready()) return make_error(ErrorKind::limit, no_memory());
    for (;;) {
      if (stream_ended()) {
        const auto input = pending(gzip_magic.size());
        if (!input) return std::unexpected(input.error());
        if (!starts_with(*input, gzip_magic)) return finish(take_trailing_bytes("gzip stream"));
        start_next_stream();
      }
      const auto made = inflate(buffer);
      if (!made || *made != 0) return made;
    }
  }

 private:
  static constexpr int gzip_framing = 16;  // added to the window bits
};

class ZstdSource final : public DecodingSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : DecodingSource(std::move(source), limits), context_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    const auto log = static_cast<int>(std::bit_width(limits.max_transport_window) - 1);
    if (context_) ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, log);
  }

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override {
    if (!context_) return make_error(ErrorKind::limit, no_memory);
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      const auto input = pending(zstd_magic.size());
      if (!input) return std::unexpected(input.error());
      if (frame_ended_ && !starts_with_frame(*input)) return finish(take_trailing_bytes("zstd stream"));
      ZSTD_inBuffer in{input->data(), std::min(input->size(), expected_), 0};
      const std::size_t status = ::ZSTD_decompressStream(context_.get(), &out, &in);
      consume(in.pos);
      if (::ZSTD_isError(status)) return fail_with(status, out.pos);
      frame_ended_ = status == 0;
      expected_ = frame_ended_ ? frame_start_bytes : status;
      if (input->empty() && out.pos == 0) {
        return make_error(ErrorKind::damaged, "the zstd stream that contains the file is truncated");
      }
    }
    return out.pos;
  }

 private:
  Result<std::size_t> fail_with(std::size_t status, std::size_t produced) {
    if (::ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
      return fail(produced, ErrorKind::limit,
                  "the zstd stream that contains the file needs a window larger than the limit");
    }
    if (::ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
      return fail(produced, ErrorKind::limit, no_memory);
    note_corruption();
    return fail(produced, ErrorKind::damaged,
                std::string("the zstd stream that contains the file is damaged (") +
                    ::ZSTD_getErrorName(status) + ")");
  }

  static constexpr std::size_t frame_start_bytes = 5;
  static constexpr const char* no_memory = "not enough memory to decompress the zstd stream";

  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context_;
  /// The bytes that libzstd expects next, one block or the checksum. It gets no more than these, because a
  /// call that fails does not return what it decoded before.
  std::size_t expected_ = frame_start_bytes;
  bool frame_ended_ = false;
};

/// Returns the bytes that were read ahead for inspection, then continues with the source.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::vector<std::uint8_t> prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (position_ == prefix_.size()) return rest_->read(buffer);
    const std::size_t length = std::min(buffer.size(), prefix_.size() - position_);
    std::memcpy(buffer.data(), prefix_.data() + position_, length);
    position_ += length;
    return length;
  }
  [[nodiscard]] TransportState transport() const override { return rest_->transport(); }

 private:
  std::vector<std::uint8_t> prefix_;
  std::size_t position_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

Compression detect_compression(ByteSpan first_bytes) {
  constexpr std::array<std::uint8_t, 4> zip{'P', 'K', 3, 4};
  constexpr std::array<std::uint8_t, 4> empty_zip{'P', 'K', 5, 6};
  if (starts_with(first_bytes, gzip_magic)) return Compression::gzip;
  if (starts_with_frame(first_bytes)) return Compression::zstd;
  if (starts_with(first_bytes, zip) || starts_with(first_bytes, empty_zip)) return Compression::zip;
  return is_html(first_bytes) ? Compression::html : Compression::none;
}

bool is_compressed(Compression compression) {
  return compression == Compression::gzip || compression == Compression::zstd;
}

std::unique_ptr<ByteSource> decode(Compression compression, std::unique_ptr<ByteSource> source,
                                   const Limits& limits, const IsDump& is_dump) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipSource>(std::move(source), limits);
    case Compression::zstd:
      return std::make_unique<ZstdSource>(std::move(source), limits);
    case Compression::zip:
      return make_zip_source(std::move(source), limits, is_dump);
    case Compression::html:
      return make_html_source(std::move(source), limits);
    case Compression::none:
      break;
  }
  return source;
}

/// Fails once the deadline has passed.
class TimedSource final : public ByteSource {
 public:
  TimedSource(std::unique_ptr<ByteSource> source, std::chrono::steady_clock::time_point deadline)
      : source_(std::move(source)), deadline_(deadline) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (std::chrono::steady_clock::now() < deadline_) return source_->read(buffer);
    return make_error(ErrorKind::timeout, "the time limit was reached before the end of the file");
  }
  [[nodiscard]] TransportState transport() const override { return source_->transport(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::chrono::steady_clock::time_point deadline_;
};

/// Detects the compression of `raw` by its first bytes. The source of the result still has all bytes.
Result<Input> detect(std::unique_ptr<ByteSource> raw) {
  constexpr std::size_t longest_magic = 5;
  std::vector<std::uint8_t> first_bytes(longest_magic);
  std::size_t length = 0;
  while (length < longest_magic) {
    const auto got = raw->read(MutableByteSpan(first_bytes).subspan(length));
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    length += *got;
  }
  first_bytes.resize(length);
  const Compression compression = detect_compression(first_bytes);
  return Input{std::make_unique<PrefixedSource>(std::move(first_bytes), std::move(raw)), compression};
}

}  // namespace

Result<std::size_t> MemorySource::read(MutableByteSpan buffer) {
  const std::size_t length = std::min({buffer.size(), chunk_, bytes_.size() - position_});
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(position_), length, buffer.begin());
  position_ += length;
  return length;
}

Result<std::size_t> MemorySource::read_at(std::uint64_t offset, MutableByteSpan buffer) {
  if (offset >= bytes_.size()) return std::size_t{0};
  const auto start = static_cast<std::size_t>(offset);
  const std::size_t length = std::min({buffer.size(), chunk_, bytes_.size() - start});
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(start), length, buffer.begin());
  return length;
}

Result<std::size_t> RangeSource::read(MutableByteSpan buffer) {
  auto got = source_->read_at(offset_, buffer);
  if (got) offset_ += *got;
  return got;
}

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
  if (!S_ISREG(status.st_mode)) return make_error(ErrorKind::unreadable, "is not a regular file");
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

namespace {

/// Removes what is around the content, without regard to the deadline.
Result<Input> decode_all(std::unique_ptr<ByteSource> raw, const Limits& limits, const IsDump& is_dump) {
  auto input = detect(std::move(raw));
  if (!input) return input;
  const auto may_be_dump = [is_dump](ByteSpan first_bytes) {
    return is_compressed(detect_compression(first_bytes)) || is_dump(first_bytes);
  };
  input->source = decode(input->compression, std::move(input->source), limits, may_be_dump);
  if (input->compression != Compression::zip && input->compression != Compression::html) return input;
  auto inner = detect(std::move(input->source));
  if (!inner) return inner;
  if (is_compressed(inner->compression))
    inner->source = decode(inner->compression, std::move(inner->source), limits, is_dump);
  inner->compression = input->compression;
  return inner;
}

}  // namespace

Result<Input> unwrap(std::unique_ptr<ByteSource> raw, const Limits& limits, const IsDump& is_dump) {
  auto input = decode_all(std::move(raw), limits, is_dump);
  if (input && limits.deadline)
    input->source = std::make_unique<TimedSource>(std::move(input->source), *limits.deadline);
  return input;
}

}  // namespace heapcheck::core
