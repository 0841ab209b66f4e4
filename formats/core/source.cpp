#include "formats/core/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

namespace heapcheck::core {
namespace {

std::unexpected<Error> make_error(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

std::unexpected<Error> make_system_error(const char* verb, int code) {
  return make_error(ErrorKind::unreadable, std::string(verb) + ": " + std::generic_category().message(code));
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
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) return make_system_error("cannot be opened", errno);
  Descriptor descriptor(number);
  struct stat status{};
  if (::fstat(number, &status) != 0) return make_system_error("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) return make_error(ErrorKind::unreadable, "is a folder, not a file");
  return descriptor;
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_.number(), buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return make_system_error("cannot be read", errno);
    }
  }

 private:
  Descriptor descriptor_;
};

class SeekableFile final : public SeekableSource {
 public:
  SeekableFile(Descriptor descriptor, std::uint64_t byte_count)
      : descriptor_(std::move(descriptor)), byte_count_(byte_count) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return byte_count_; }

  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override {
    for (;;) {
      const ssize_t got =
          ::pread(descriptor_.number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return make_system_error("cannot be read", errno);
    }
  }

 private:
  Descriptor descriptor_;
  std::uint64_t byte_count_;
};

/// The base of both decoders: compressed and decoded bytes in chunks, and the limit on the decompressed size.
class DecodingSource : public ByteSource {
 public:
  DecodingSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : source_(std::move(source)), input_(chunk), output_(chunk), max_output_(limits.max_input) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (given_ == produced_) {
      if (auto filled = fill(); !filled) return std::unexpected(std::move(filled.error()));
    }
    const std::size_t length = std::min(buffer.size(), produced_ - given_);
    std::copy_n(output_.begin() + static_cast<std::ptrdiff_t>(given_), length, buffer.begin());
    given_ += length;
    return length;
  }

 protected:
  virtual Result<std::size_t> decode(MutableByteSpan buffer) = 0;

  /// Compressed bytes that are waiting to be decoded; empty only at the end. Always a full chunk, so that the
  /// output before damage does not depend on how a pipe delivers its bytes.
  Result<ByteSpan> pending() {
    if (begin_ == end_) {
      begin_ = end_ = 0;
      for (bool ended = false; !ended && end_ < input_.size();) {
        const auto got = source_->read(MutableByteSpan(input_).subspan(end_));
        if (!got) return std::unexpected(got.error());
        end_ += *got;
        ended = *got == 0;
      }
    }
    return ByteSpan(input_).subspan(begin_, end_ - begin_);
  }
  void consume(std::size_t byte_count) { begin_ += byte_count; }
  /// Returns the bytes that were produced before the damage, if there are any; the next call then returns the
  /// damage.
  Result<std::size_t> fail(std::size_t produced, ErrorKind kind, std::string message) {
    failure_ = Error{kind, std::move(message)};
    if (produced != 0) return produced;
    return std::unexpected(*failure_);
  }

 private:
  static constexpr std::size_t chunk = std::size_t{128} * 1024;

  Result<void> fill() {
    if (failure_) return std::unexpected(*failure_);
    auto decoded = decode(output_);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    given_ = 0;
    produced_ = static_cast<std::size_t>(std::min<std::uint64_t>(*decoded, max_output_ - total_));
    total_ += produced_;
    if (produced_ < *decoded) {
      failure_ = Error{ErrorKind::limit, "input decompresses to more than the limit of " +
                                             std::to_string(max_output_) + " bytes"};
      if (produced_ == 0) return std::unexpected(*failure_);
    }
    return {};
  }

  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<std::uint8_t> output_;
  std::size_t given_ = 0;
  std::size_t produced_ = 0;  // bytes in output_
  std::uint64_t total_ = 0;   // bytes produced so far
  std::uint64_t max_output_;
  std::optional<Error> failure_;
};

class GzipSource final : public DecodingSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : DecodingSource(std::move(source), limits) {
    constexpr int gzip_framing = 16;
    ready_ = ::inflateInit2(&stream_, MAX_WBITS + gzip_framing) == Z_OK;
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override {
    if (ready_) ::inflateEnd(&stream_);
  }

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override {
    if (!ready_) return make_error(ErrorKind::limit, "not enough memory for the gzip decoder");
    stream_.next_out = buffer.data();
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), UINT32_MAX));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room) {
      const auto input = pending();
      if (!input) return std::unexpected(input.error());
      if (input->empty()) {
        if (member_ended_) return std::size_t{0};
        return make_error(ErrorKind::damaged, "the gzip stream that contains the file is truncated");
      }
      if (member_ended_) ::inflateReset(&stream_);
      stream_.next_in = const_cast<Bytef*>(input->data());
      stream_.avail_in = static_cast<uInt>(input->size());
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      consume(input->size() - stream_.avail_in);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        return fail(room - stream_.avail_out, ErrorKind::damaged,
                    "the gzip stream that contains the file is damaged");
      }
      member_ended_ = status == Z_STREAM_END;
    }
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool member_ended_ = false;
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
    if (!context_) return make_error(ErrorKind::limit, "not enough memory for the zstd decoder");
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      const auto input = pending();
      if (!input) return std::unexpected(input.error());
      if (input->empty() && frame_ended_) return std::size_t{0};
      ZSTD_inBuffer in{input->data(), input->size(), 0};
      const std::size_t status = ::ZSTD_decompressStream(context_.get(), &out, &in);
      consume(in.pos);
      if (::ZSTD_isError(status)) return fail_with(status, out.pos);
      frame_ended_ = status == 0;
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
    return fail(produced, ErrorKind::damaged,
                std::string("the zstd stream that contains the file is damaged (") +
                    ::ZSTD_getErrorName(status) + ")");
  }

  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context_;
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

 private:
  std::vector<std::uint8_t> prefix_;
  std::size_t position_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

bool starts_with(ByteSpan bytes, ByteSpan magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

Compression detect_compression(ByteSpan first_bytes) {
  constexpr std::array<std::uint8_t, 3> gzip{0x1F, 0x8B, 0x08};
  constexpr std::array<std::uint8_t, 4> zstd{0x28, 0xB5, 0x2F, 0xFD};
  if (starts_with(first_bytes, gzip)) return Compression::gzip;
  if (starts_with(first_bytes, zstd)) return Compression::zstd;
  return Compression::none;
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
  return std::make_unique<SeekableFile>(std::move(*descriptor), static_cast<std::uint64_t>(status.st_size));
}

std::unique_ptr<ByteSource> open_standard_input() {
  return std::make_unique<FileSource>(Descriptor(STDIN_FILENO, false));
}

Result<Input> unwrap(std::unique_ptr<ByteSource> raw, const Limits& limits) {
  constexpr std::size_t longest_magic = 4;
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
  std::unique_ptr<ByteSource> source =
      std::make_unique<PrefixedSource>(std::move(first_bytes), std::move(raw));
  if (compression == Compression::gzip) source = std::make_unique<GzipSource>(std::move(source), limits);
  if (compression == Compression::zstd) source = std::make_unique<ZstdSource>(std::move(source), limits);
  return Input{std::move(source), compression};
}

}  // namespace heapcheck::core
