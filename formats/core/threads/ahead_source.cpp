#include "formats/core/threads/ahead_source.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "formats/core/threads/parallel.hpp"

namespace heapcheck::core {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;

}  // namespace

AheadSource::AheadSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  try {
    thread_ = std::jthread([this] { run(); });
    // NOLINTNEXTLINE(bugprone-empty-catch): there is then no thread
  } catch (const std::system_error&) {
  }
}

AheadSource::~AheadSource() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
}

AheadSource::Piece AheadSource::read_piece() {
  Piece piece;
  try {
    piece.bytes.resize(piece_bytes);
    const std::lock_guard lock(reading_);
    auto got = source_->read(piece.bytes);
    piece.bytes.resize(got.value_or(0));
    if (!got) piece.error = std::move(got.error());
  } catch (const std::bad_alloc&) {
    piece.bytes.clear();
    piece.is_out_of_memory = true;
  }
  return piece;
}

/// Reads until the source ends or no more bytes are needed.
void AheadSource::run() {
  for (bool is_last = false; !is_last;) {
    Piece piece = read_piece();
    is_last = piece.bytes.empty();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopped_ || count_ < most_pieces; });
    if (is_stopped_) return;
    pieces_[(first_ + count_++) % most_pieces] = std::move(piece);
    lock.unlock();
    changed_.notify_all();
  }
}

Result<std::size_t> AheadSource::read(MutableByteSpan buffer) {
  if (!thread_.joinable()) return source_->read(buffer);
  // The thread's last piece is empty, so there is nothing to wait for after that.
  if (used_ == current_.bytes.size() && !has_ended_) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ != 0; });
    current_ = std::move(pieces_[first_]);
    first_ = (first_ + 1) % most_pieces;
    --count_;
    lock.unlock();
    changed_.notify_all();
    used_ = 0;
    has_ended_ = current_.bytes.empty();
  }
  if (has_ended_ && current_.is_out_of_memory)
    return std::unexpected(Error{ErrorKind::limit, "needs more memory than the limit or the system allows"});
  if (has_ended_ && current_.error) return std::unexpected(*current_.error);
  const std::size_t count = std::min(buffer.size(), current_.bytes.size() - used_);
  std::copy_n(current_.bytes.begin() + static_cast<std::ptrdiff_t>(used_), count, buffer.begin());
  used_ += count;
  return count;
}

TransportState AheadSource::transport() const {
  const std::lock_guard lock(reading_);
  return source_->transport();
}

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) {
  return std::make_unique<AheadSource>(std::move(source));
}

}  // namespace heapcheck::core
