#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "formats/core/source.hpp"
#include "formats/core/transport/decoders.hpp"

namespace heapcheck::core {
namespace {

/// Returns the bytes that were read ahead for inspection, and then continues with the source.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::vector<std::uint8_t> prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (position_ == prefix_.size()) return rest_->read(buffer);
    const std::size_t length = std::min(buffer.size(), prefix_.size() - position_);
    std::memcpy(buffer.data(), prefix_.data() + position_, length);
    position_ += length;
    return length;
  }
  [[nodiscard]] TransportState transport() const override { return rest_->transport(); }

 private:
  std::vector<std::uint8_t> prefix_;
  std::size_t position_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

Compression detect_compression(ByteSpan first_bytes) {
  if (is_gzip(first_bytes)) return Compression::gzip;
  if (is_zstd(first_bytes)) return Compression::zstd;
  if (is_zip(first_bytes)) return Compression::zip;
  return is_html(first_bytes) ? Compression::html : Compression::none;
}

bool is_compressed(Compression compression) {
  return compression == Compression::gzip || compression == Compression::zstd;
}

std::unique_ptr<ByteSource> decode(Compression compression, std::unique_ptr<ByteSource> source,
                                   const Limits& limits, const IsDump& is_dump) {
  switch (compression) {
    case Compression::gzip:
      return make_gzip_source(std::move(source), limits);
    case Compression::zstd:
      return make_zstd_source(std::move(source), limits);
    case Compression::zip:
      return make_zip_source(std::move(source), limits, is_dump);
    case Compression::html:
      return make_html_source(std::move(source), limits);
    case Compression::none:
      break;
  }
  return source;
}

/// Fails once the deadline has passed.
class TimedSource final : public ByteSource {
 public:
  TimedSource(std::unique_ptr<ByteSource> source, std::chrono::steady_clock::time_point deadline)
      : source_(std::move(source)), deadline_(deadline) {}

  Result<std::size_t> read(MutableByteSpan buffer) override {
    if (std::chrono::steady_clock::now() < deadline_) return source_->read(buffer);
    return std::unexpected(
        Error{ErrorKind::timeout, "the time limit was reached before the end of the file"});
  }
  [[nodiscard]] TransportState transport() const override { return source_->transport(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::chrono::steady_clock::time_point deadline_;
};

/// Detects the compression of `raw` from its first bytes. The source in the result still returns all bytes.
Result<Input> detect(std::unique_ptr<ByteSource> raw) {
  constexpr std::size_t longest_magic = 5;
  std::vector<std::uint8_t> first_bytes(longest_magic);
  std::size_t length = 0;
  while (length < longest_magic) {
    const auto got = raw->read(MutableByteSpan(first_bytes).subspan(length));
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    length += *got;
  }
  first_bytes.resize(length);
  const Compression compression = detect_compression(first_bytes);
  return Input{std::make_unique<PrefixedSource>(std::move(first_bytes), std::move(raw)), compression};
}

/// Removes the encodings around the content, without taking the deadline into account.
Result<Input> decode_all(std::unique_ptr<ByteSource> raw, const Limits& limits, const IsDump& is_dump) {
  auto input = detect(std::move(raw));
  if (!input) return input;
  const auto may_be_dump = [is_dump](ByteSpan first_bytes) {
    return is_compressed(detect_compression(first_bytes)) || is_dump(first_bytes);
  };
  input->source = decode(input->compression, std::move(input->source), limits, may_be_dump);
  if (input->compression != Compression::zip && input->compression != Compression::html) return input;
  auto inner = detect(std::move(input->source));
  if (!inner) return inner;
  if (is_compressed(inner->compression))
    inner->source = decode(inner->compression, std::move(inner->source), limits, is_dump);
  inner->compression = input->compression;
  return inner;
}

}  // namespace

Result<Input> unwrap(std::unique_ptr<ByteSource> raw, const Limits& limits, const IsDump& is_dump) {
  auto input = decode_all(std::move(raw), limits, is_dump);
  if (input && limits.deadline)
    input->source = std::make_unique<TimedSource>(std::move(input->source), *limits.deadline);
  return input;
}

}  // namespace heapcheck::core
