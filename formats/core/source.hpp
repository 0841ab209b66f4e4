// Sources of bytes: files, pipes or memory, with or without gzip or zstd compression, a zip archive or an
// HTML page around the content. A source is read once, from front to back; a SeekableSource can also be read
// at any offset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

/// Facts about the compression or archive around a source's bytes. They are known once the source has been
/// read to its end.
struct TransportState {
  bool is_corrupt = false;     ///< the bytes may differ from the original bytes
  std::string trailing_bytes;  ///< describes bytes after the end of the compressed data; empty if none
};

/// The error for an input that no longer contains the bytes that were read from it before.
inline std::unexpected<Error> make_changed() {
  return std::unexpected(Error{ErrorKind::unreadable, "changed while it was being read"});
}

/// Distinguishes a file from all other files, and from itself after a change.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t byte_count = 0;
  std::int64_t modified_seconds = 0;  ///< seconds since 1970
  std::int64_t modified_nanoseconds = 0;
  bool operator==(const FileIdentity&) const = default;
};

class AddedBytes;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the front of `buffer` and returns the number of bytes, which is 0 only at the end.
  virtual Result<std::size_t> read(MutableByteSpan buffer) = 0;
  /// Moves back to the first byte if the source can be read again. Returns whether it can.
  virtual bool rewind() { return false; }
  [[nodiscard]] virtual TransportState transport() const { return {}; }
  /// The bytes of the file that the source leaves out; null if it leaves out none.
  [[nodiscard]] virtual const AddedBytes* added_bytes() const { return nullptr; }
};

class SeekableSource {
 public:
  virtual ~SeekableSource() = default;
  [[nodiscard]] virtual std::uint64_t byte_count() const = 0;
  /// Fills the front of `buffer` with the bytes that start at `offset` and returns the number of bytes, which
  /// is 0 only at the end.
  virtual Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) = 0;
  /// The identity that the file had when it was opened, or nothing for memory or for a copy of a pipe.
  [[nodiscard]] virtual std::optional<FileIdentity> identity() const { return std::nullopt; }
};

/// Memory as a source; the bytes are borrowed. `chunk` limits the size of a single read, for tests of
/// windows.
class MemorySource final : public ByteSource, public SeekableSource {
 public:
  explicit MemorySource(ByteSpan bytes, std::size_t chunk = SIZE_MAX) : bytes_(bytes), chunk_(chunk) {}
  Result<std::size_t> read(MutableByteSpan buffer) override {
    const auto length = read_at(position_, buffer);
    position_ += *length;
    return length;
  }
  bool rewind() override {
    position_ = 0;
    return true;
  }
  [[nodiscard]] std::uint64_t byte_count() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const ByteSpan rest = bytes_.subspan(static_cast<std::size_t>(offset));
    const std::size_t length = std::min({buffer.size(), chunk_, rest.size()});
    std::copy_n(rest.begin(), length, buffer.begin());
    return length;
  }

 private:
  ByteSpan bytes_;
  std::size_t chunk_;
  std::size_t position_ = 0;
};

/// The bytes [offset, end) of a seekable source, read from front to back. Borrows the source.
class RangeSource final : public ByteSource {
 public:
  RangeSource(SeekableSource& source, std::uint64_t offset)
      : source_(&source), start_(offset), offset_(offset) {}
  Result<std::size_t> read(MutableByteSpan buffer) override {
    auto got = source_->read_at(offset_, buffer);
    if (got) offset_ += *got;
    return got;
  }
  bool rewind() override {
    offset_ = start_;
    return true;
  }

 private:
  SeekableSource* source_;
  std::uint64_t start_;
  std::uint64_t offset_;
};

/// An input that is ready to be read, with any compression around it removed.
struct Input {
  std::unique_ptr<ByteSource> source;
  Compression compression = Compression::none;
};

/// Opens a file, but refuses folders. Errors: unreadable, with the reason.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
/// The identity of the file at `path`, following symbolic links, or nothing if there is no such file.
std::optional<FileIdentity> identify_file(const std::string& path);
/// Opens a regular file that can be read at any offset and must not change in the meantime (see
/// unchanged_source.hpp).
Result<std::unique_ptr<SeekableSource>> open_seekable(const std::string& path);
/// Opens `path` so that it can be read at any offset; `-` means standard input. Copies anything but a regular
/// file to an unnamed temporary file. Checks the first MiB if there is more, because it may never end.
/// Errors: unreadable, as for open_file() or because there is no room; limit; those of the check.
using StartCheck = std::function<Result<void>(ByteSpan start)>;
Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string& path, const Limits& limits,
                                                        const StartCheck& check_start = {});
/// The process's standard input.
std::unique_ptr<ByteSource> open_standard_input();

/// Whether a file that starts with these bytes may be a heap dump. The bytes are the first 4096 bytes of the
/// file, or all bytes of a shorter file.
using IsDump = std::function<bool(ByteSpan first_bytes)>;

/// Looks at the first bytes of `raw` and adds a decoder if they begin a gzip or zstd file, a zip archive or
/// an HTML page, whose file may be compressed. From an archive, reads only the file that `is_dump` accepts.
Result<Input> unwrap(
    std::unique_ptr<ByteSource> raw, const Limits& limits,
    const IsDump& is_dump = [](ByteSpan) { return true; });

}  // namespace heapcheck::core
