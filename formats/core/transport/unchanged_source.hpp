// A file that is read several times and must not change in the meantime, because readers rely on finding the
// same bytes again. Owns the source that it reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// Keeps a hash of each 256 KiB block that is read, and compares it when the block is read again. Errors from
/// read_at: the errors of the source; unreadable if the bytes differ or the size has changed since the start.
class UnchangedSource final : public SeekableSource {
 public:
  explicit UnchangedSource(std::unique_ptr<SeekableSource> source)
      : source_(std::move(source)), byte_count_(source_->byte_count()) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return byte_count_; }
  Result<std::size_t> read_at(std::uint64_t offset, MutableByteSpan buffer) override;
  [[nodiscard]] std::optional<FileIdentity> identity() const override { return source_->identity(); }

 private:
  Result<void> load(std::uint64_t block);
  Result<void> fill(std::uint64_t offset);
  [[nodiscard]] bool is_as_before(std::uint64_t block);

  std::unique_ptr<SeekableSource> source_;
  std::uint64_t byte_count_;
  std::vector<std::uint64_t> hashes_;  // the hash of each block; 0 if it has not been read
  std::optional<std::uint64_t> loaded_;
  std::vector<std::uint8_t> bytes_;  // the bytes of the loaded block
};

}  // namespace heapcheck::core
