// Undoes text mode, in which the C library of Windows writes a carriage return before every line feed: leaves
// out these carriage returns. Owns the window that it reads from.
#pragma once

#include <memory>

#include "formats/core/added_bytes.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::core {

class TextModeSource final : public ByteSource {
 public:
  /// `file` may be at any byte of its source; the bytes before it are not part of the content.
  explicit TextModeSource(std::unique_ptr<Window> file) : file_(std::move(file)) {}

  Result<std::size_t> read(MutableByteSpan buffer) override;
  [[nodiscard]] const AddedBytes* added_bytes() const override { return &added_; }

  /// The number of line feeds read so far.
  [[nodiscard]] std::uint64_t line_feeds() const { return line_feeds_; }

 private:
  std::size_t copy(ByteSpan bytes, std::size_t usable, MutableByteSpan buffer);

  std::unique_ptr<Window> file_;
  AddedBytes added_;
  std::uint64_t offset_ = 0;  // in the content
  std::uint64_t line_feeds_ = 0;
};

}  // namespace heapcheck::core
