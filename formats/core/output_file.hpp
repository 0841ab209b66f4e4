// Where written bytes go: memory, or a file that appears under its name only when it is complete.
// Errors are values of kind unwritable. An OutputFile owns its descriptor and its temporary file;
// what is not committed is removed, also from a signal handler (remove_pending_outputs).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::core {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Takes all of `bytes`, or says why it cannot.
  virtual Result<void> write(ByteSpan bytes) = 0;
};

/// Keeps what is written in memory.
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

/// A file written beside its name and moved there by commit(). A symbolic link is followed: what it
/// points to is replaced. The permissions of a file that is replaced are kept. What is no regular
/// file (a pipe, /dev/stdout) is written directly.
class OutputFile final : public ByteSink {
 public:
  /// A new file gets the permissions `mode`, less what the umask takes away. Errors: unwritable, for a
  /// folder, a read-only file, a missing parent.
  static Result<OutputFile> create(const std::string& path, unsigned mode = 0666);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() override;

  /// Hands bytes to the system; there is no buffer here.
  Result<void> write(ByteSpan bytes) override;

  /// What was written so far, for a look at it before it gets its name. Errors: unwritable, where it was
  /// written directly.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_written() const;

  /// Makes the file durable and gives it its name. To be called once; without it nothing is left.
  Result<void> commit();

 private:
  OutputFile(int descriptor, std::string target, std::string temporary);
  Result<void> close_descriptor();

  int descriptor_;
  std::string target_;
  std::string temporary_;  // empty: written directly, or already committed
  int slot_;
};

/// Removes the temporary files of all outputs that are neither committed nor destroyed. Only calls
/// what a signal handler may call. Covers the first 16 outputs that are open at a time.
void remove_pending_outputs();

}  // namespace heapcheck::core
