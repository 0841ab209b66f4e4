// The base class of the sources that remove an encoding around the whole input. Owns the source of encoded
// bytes.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/source.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::core {

/// The base class of all decoders. Contains chunks of encoded and decoded bytes, and enforces the limit on
/// the decompressed size.
class DecodingSource : public ByteSource {
 public:
  DecodingSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : source_(std::move(source)), input_(chunk), output_(chunk), limits_(limits) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (given_ == produced_) {
      if (auto filled = fill(); !filled) return std::unexpected(std::move(filled.error()));
    }
    const std::size_t length = std::min(buffer.size(), produced_ - given_);
    std::copy_n(output_.begin() + static_cast<std::ptrdiff_t>(given_), length, buffer.begin());
    given_ += length;
    return length;
  }

  [[nodiscard]] TransportState transport() const override {
    TransportState state = source_->transport();
    state.is_corrupt = state.is_corrupt || is_corrupt_;
    if (state.trailing_bytes.empty()) state.trailing_bytes = trailing_bytes_;
    return state;
  }

 protected:
  /// Fills the front of `buffer` and returns the number of bytes, which is 0 only at the end.
  virtual Result<std::size_t> decode(MutableByteSpan buffer) = 0;

  /// The encoded bytes that are waiting to be decoded: at least `byte_count` of them, or fewer only at the
  /// end. They always make up a full chunk, so that the output before damage does not depend on how a pipe
  /// delivers its bytes. Bytes that come before an error of the source are returned first.
  Result<ByteSpan> pending(std::size_t byte_count = 1) {
    if (end_ - begin_ < byte_count && !input_failure_) take_chunk();
    if (begin_ == end_ && input_failure_) return std::unexpected(*input_failure_);
    return ByteSpan(input_).subspan(begin_, end_ - begin_);
  }
  void consume(std::size_t byte_count) { begin_ += byte_count; }
  /// Moves the next bytes into `bytes`. Returns false if the input ends before `bytes` is full.
  Result<bool> take(MutableByteSpan bytes) {
    while (!bytes.empty()) {
      const auto input = pending();
      if (!input) return std::unexpected(input.error());
      if (input->empty()) return false;
      const std::size_t length = std::min(bytes.size(), input->size());
      std::copy_n(input->begin(), length, bytes.begin());
      consume(length);
      bytes = bytes.subspan(length);
    }
    return true;
  }
  /// Reads everything after the end of the compressed data. `container` names the kind of data. Zeros are
  /// padding, as on tapes, and are ignored. Returns 0, as decode() does at the end.
  Result<std::size_t> take_trailing_bytes(std::string_view container) {
    std::uint64_t byte_count = 0;
    bool is_padding = true;
    for (;;) {
      const auto input = pending();
      if (!input) return std::unexpected(input.error());
      if (input->empty()) break;
      byte_count += input->size();
      is_padding = is_padding && std::ranges::all_of(*input, [](std::uint8_t byte) { return byte == 0; });
      consume(input->size());
    }
    if (!is_padding) {
      trailing_bytes_ = "found " + counted(byte_count, "byte") + " after the end of the " +
                        std::string(container) + ", expected the end of the file";
    }
    return std::size_t{0};
  }
  /// Records that the decoded bytes may differ from the original bytes.
  void note_corruption() { is_corrupt_ = true; }
  /// If bytes were produced before the damage, returns their number, and the next call returns the error.
  Result<std::size_t> fail(std::size_t produced, ErrorKind kind, std::string message) {
    failure_ = Error{kind, std::move(message)};
    if (produced != 0) return produced;
    return std::unexpected(*failure_);
  }

 private:
  static constexpr std::size_t chunk = std::size_t{128} * 1024;

  void take_chunk() {
    std::copy(input_.begin() + static_cast<std::ptrdiff_t>(begin_),
              input_.begin() + static_cast<std::ptrdiff_t>(end_), input_.begin());
    end_ -= begin_;
    begin_ = 0;
    for (bool ended = false; !ended && end_ < input_.size();) {
      const auto got = source_->read(MutableByteSpan(input_).subspan(end_));
      if (!got) input_failure_ = got.error();
      end_ += got.value_or(0);
      taken_ += got.value_or(0);
      ended = got.value_or(0) == 0;
    }
  }

  /// The limit on the output. It never decreases, because the number of encoded bytes that were taken only
  /// grows.
  [[nodiscard]] std::uint64_t max_output() const {
    return std::min(limits_.max_input, std::max(limits_.input_floor, limits_.input_ratio * taken_));
  }

  Result<void> fill() {
    if (failure_) return std::unexpected(*failure_);
    auto decoded = decode(output_);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    given_ = 0;
    produced_ = static_cast<std::size_t>(std::min<std::uint64_t>(*decoded, max_output() - total_));
    total_ += produced_;
    if (produced_ < *decoded) {
      failure_ = Error{ErrorKind::limit, "input decompresses to more than the limit of " +
                                             std::to_string(max_output()) + " bytes"};
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
  std::size_t produced_ = 0;  // the number of bytes in output_
  std::uint64_t total_ = 0;   // the number of bytes produced so far
  std::uint64_t taken_ = 0;   // the number of encoded bytes taken so far
  Limits limits_;
  std::optional<Error> input_failure_;  // the error of source_
  std::optional<Error> failure_;
  bool is_corrupt_ = false;
  std::string trailing_bytes_;
};

}  // namespace heapcheck::core
