#include "formats/core/transport/unchanged_source.hpp"

#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::core {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{256} * 1024;

/// Computes a hash that is never 0.
std::uint64_t hash_bytes(ByteSpan bytes) {
  std::size_t hash = bytes.size();
  for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t)))
    hash = KeyedHash::combine(hash, decode_le<std::uint64_t>(bytes.data()));
  for (const std::uint8_t byte : bytes) hash = KeyedHash::combine(hash, byte);
  return std::max<std::uint64_t>(hash, 1);
}

}  // namespace

Result<std::size_t> UnchangedSource::read_at(std::uint64_t offset, MutableByteSpan buffer) {
  if (offset >= byte_count_) {
    const auto beyond = source_->read_at(offset, buffer);
    return beyond && *beyond != 0 ? make_changed() : beyond;
  }
  if (const auto loaded = load(offset / block_bytes); !loaded) return std::unexpected(loaded.error());
  const ByteSpan rest = ByteSpan(bytes_).subspan(static_cast<std::size_t>(offset % block_bytes));
  const std::size_t length = std::min(rest.size(), buffer.size());
  std::copy_n(rest.begin(), length, buffer.begin());
  return length;
}

Result<void> UnchangedSource::load(std::uint64_t block) {
  if (loaded_ == block) return {};
  loaded_.reset();
  const std::uint64_t start = block * block_bytes;
  bytes_.resize(static_cast<std::size_t>(std::min(block_bytes, byte_count_ - start)));
  if (auto filled = fill(start); !filled) return filled;
  if (!is_as_before(block)) return make_changed();
  loaded_ = block;
  return {};
}

/// Reads all bytes of the block at `offset`. Errors: the errors of the source; unreadable if the source ends
/// early.
Result<void> UnchangedSource::fill(std::uint64_t offset) {
  for (std::size_t done = 0; done != bytes_.size();) {
    const auto got = source_->read_at(offset + done, MutableByteSpan(bytes_).subspan(done));
    if (!got) return std::unexpected(got.error());
    if (*got == 0) return make_changed();
    done += *got;
  }
  return {};
}

/// Compares the bytes with the hash of the block, or sets the hash if the block is read for the first time.
bool UnchangedSource::is_as_before(std::uint64_t block) {
  const auto index = static_cast<std::size_t>(block);
  if (index >= hashes_.size()) hashes_.resize(index + 1);
  const std::uint64_t hash = hash_bytes(bytes_);
  if (hashes_[index] == 0) hashes_[index] = hash;
  return hashes_[index] == hash;
}

}  // namespace heapcheck::core
