// Reads a source on its own thread, ahead of the reader that needs the bytes, so that decompressing a file
// takes up none of the reader's time.
#pragma once

#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "formats/core/source.hpp"

namespace heapcheck::core {

class AheadSource final : public ByteSource {
 public:
  /// If no thread can be started, read() uses the source directly.
  explicit AheadSource(std::unique_ptr<ByteSource> source);
  AheadSource(const AheadSource&) = delete;
  AheadSource& operator=(const AheadSource&) = delete;
  /// Waits for any read that is under way.
  ~AheadSource() override;

  Result<std::size_t> read(MutableByteSpan buffer) override;
  /// The state of the source that is read ahead.
  [[nodiscard]] TransportState transport() const override;

 private:
  /// The result of one read: bytes, or no bytes and possibly an error.
  struct Piece {
    std::vector<std::uint8_t> bytes;
    std::optional<Error> error;
    bool is_out_of_memory = false;
  };

  static constexpr std::size_t most_pieces = 8;

  void run();
  [[nodiscard]] Piece read_piece();

  std::unique_ptr<ByteSource> source_;
  mutable std::mutex reading_;  // held while the source is used
  std::mutex mutex_;            // for the members below
  std::condition_variable changed_;
  std::array<Piece, most_pieces> pieces_;  // a ring, so that adding one needs no memory
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  bool is_stopped_ = false;
  Piece current_;  // only used by read()
  std::size_t used_ = 0;
  bool has_ended_ = false;
  std::jthread thread_;
};

}  // namespace heapcheck::core
