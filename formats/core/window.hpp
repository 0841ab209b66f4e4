// A window of bounded size that slides over a byte source. Every reader reads through a window, so a file is
// never mapped or kept in memory as a whole, and a pipe works just as well as a file. Borrows the source, and
// owns the bytes in the window.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

class Window {
 public:
  static constexpr std::size_t default_capacity = 256 * 1024;
  /// The capacity for several threads. Most columns of a large heap fit into it and can be decoded in
  /// parallel.
  static constexpr std::size_t shared_capacity = 64 * 1024 * 1024;

  /// `offset` is the absolute offset of the source's first byte. The capacity becomes smaller if there is not
  /// enough memory for more than the default.
  explicit Window(ByteSource& source, std::size_t capacity = default_capacity, std::uint64_t offset = 0);

  /// The absolute offset of the next byte.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// The next bytes, which are not consumed: at least `byte_count` of them (at most the capacity), or fewer
  /// only at the end of the input. They are valid until the next call.
  [[nodiscard]] ByteSpan peek(std::size_t byte_count);

  /// The next `byte_count` bytes (at most the capacity), or fewer only at the end of the input. Therefore,
  /// the result does not depend on how the input arrives. The bytes are valid until the next call.
  [[nodiscard]] ByteSpan look(std::size_t byte_count) {
    byte_count = std::min(byte_count, capacity_);
    const ByteSpan bytes = peek(byte_count);
    return bytes.first(std::min(bytes.size(), byte_count));
  }

  /// The same as look(), but for bytes that the reader may turn out not to need. If the source fails before
  /// these bytes, error() does not report this until they are needed.
  [[nodiscard]] ByteSpan look_ahead(std::size_t byte_count);

  /// Skips `byte_count` of the bytes that the last peek() returned.
  void consume(std::size_t byte_count);

  /// Skips up to `byte_count` bytes and returns the number of bytes skipped.
  std::uint64_t skip(std::uint64_t byte_count);

  /// The largest number of bytes that a search skips. It is larger than any block, section or line in a real
  /// dump. There must be a limit, because an input in which there is nothing to find may be endless.
  static constexpr std::uint64_t max_search = std::uint64_t{2} << 30;

  /// Skips `byte_count` of the bytes that the last peek() returned, in which a search found nothing. If the
  /// search has now skipped max_search bytes, the input ends here with an error. A line end between two calls
  /// does not end the search.
  void skip_in_search(std::size_t byte_count);

  /// Skips everything up to the end of the input. Returns the number of bytes.
  std::uint64_t skip_to_end();

  [[nodiscard]] bool at_end() { return peek(1).empty(); }

  /// Why the input ended early, if the source failed or a search was given up.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// The bytes of the file that are missing from the window, so that its offsets are not those of the file;
  /// null if there are none.
  [[nodiscard]] const AddedBytes* added_bytes() const { return source_->added_bytes(); }
  /// Whether a search was given up.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  void fill(std::size_t byte_count);
  void make_room(std::size_t byte_count);

  ByteSource* source_;
  std::size_t capacity_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t buffer_bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_;
  std::uint64_t searched_ = 0;    // bytes that the current search has skipped
  std::uint64_t search_end_ = 0;  // the position of the search
  bool gave_up_ = false;
  bool ended_ = false;
  std::optional<Error> failure_;  // the error of the source, as long as no bytes after it are needed
  std::optional<Error> error_;
};

}  // namespace heapcheck::core
