// The sinks to which writers write: memory, or a file that is not given its name until it is complete. Errors
// are values of kind `unwritable`. An OutputFile owns its descriptor and its temporary file. Output that is
// not committed is removed, if necessary by a signal handler (remove_pending_outputs).
#pragma once

#include <array>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Accepts all of `bytes`, or returns an error.
  virtual Result<void> write(ByteSpan bytes) = 0;
};

/// Keeps everything that is written in memory.
class MemorySink final : public ByteSink {
 public:
  Result<void> write(ByteSpan bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
  }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

struct OutputOptions {
  /// The permissions of a new file before the umask. A file that replaces another lets group and others read
  /// and write only if these permissions allow it.
  unsigned mode = 0666;
  /// The file that may be replaced, as it was when it was read. If this is not set, any file is replaced.
  std::optional<FileIdentity> replaced = {};
  /// The access and modification times to give the complete file. By default, these are the time at which it
  /// is written.
  std::optional<std::array<timespec, 2>> times = {};
  /// Whether commit() waits until the file is on disk. If it does not, the file may be lost or empty after a
  /// power failure.
  bool is_durable = true;
};

/// A file that is written under a temporary name next to its target and moved to the target by commit().
/// Symbolic links are followed, so the file to which a link points is replaced. A replaced file keeps its
/// owner, permissions and extended attributes. Until commit(), only the owner can read the file. Anything
/// that is not a regular file (a pipe, /dev/stdout) is written directly.
class OutputFile final : public ByteSink {
 public:
  /// Errors: unwritable if the path is a folder, the file is read-only, or its folder does not exist.
  static Result<OutputFile> create(const std::string& path, const OutputOptions& options = {});

  /// Opens the file to add to its end, as `>>` in a shell does, or creates it. The output is written
  /// directly. Errors: unwritable.
  static Result<OutputFile> append(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() override;

  /// Passes the bytes to the operating system immediately, without buffering.
  Result<void> write(ByteSpan bytes) override;

  /// Opens the bytes written so far, so that they can be checked before the file gets its name. Errors:
  /// unwritable if the bytes were written directly.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_written() const;

  /// The path of the temporary file, for a library that writes to the file itself; empty if there is none
  /// because the output is written directly.
  [[nodiscard]] const std::string& temporary_path() const { return temporary_; }

  /// Makes the file durable if requested, and gives it its name. Call this only once. If it is never called,
  /// no file remains. Errors: unwritable, including when the file at the path is not the file that may be
  /// replaced, or when its owner, permissions or extended attributes cannot be kept.
  Result<void> commit();

 private:
  OutputFile(int descriptor, std::string target, std::string temporary);
  [[nodiscard]] Result<void> set_attributes() const;
  Result<void> close_descriptor();

  int descriptor_;
  std::string target_;
  std::string temporary_;  // empty if the file is written directly or already committed
  int slot_;
  unsigned mode_ = 0;  // the permissions of the complete file
  std::optional<FileIdentity> replaced_;
  std::optional<std::array<timespec, 2>> times_;
  bool is_durable_ = true;
};

/// Removes the temporary files of all outputs that are neither committed nor destroyed. Only calls functions
/// that are safe in a signal handler. Covers up to 16 outputs that are open at the same time.
void remove_pending_outputs();

}  // namespace heapcheck::core
