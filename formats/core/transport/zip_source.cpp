#include "formats/core/transport/zip_source.hpp"

#include <array>

#include "formats/core/codec.hpp"
#include "formats/core/transport/inflating_source.hpp"

namespace heapcheck::core {
namespace {

// The layout is that of APPNOTE.TXT, "ZIP File Format Specification".
constexpr std::uint32_t local_header = 0x04034B50;
constexpr std::uint32_t central_header = 0x02014B50;
constexpr std::uint32_t descriptor_header = 0x08074B50;
constexpr std::size_t local_header_bytes = 26;  // after the signature
constexpr std::uint16_t is_encrypted = 1;
constexpr std::uint16_t has_descriptor = 8;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;

struct Member {
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t byte_count = 0;  ///< in the archive
  std::string name;

  [[nodiscard]] bool is_skipped() const { return name.ends_with('/') || name.starts_with("__MACOSX/"); }
};

class ZipSource final : public InflatingSource {
 public:
  ZipSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : InflatingSource(std::move(source), limits, -MAX_WBITS, "zip archive") {}

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override;

 private:
  enum class State : std::uint8_t { before, inside, after };

  static std::unexpected<Error> unsupported(const char* message) {
    return std::unexpected(Error{ErrorKind::unsupported, message});
  }
  Result<void> take_all(MutableByteSpan bytes);
  Result<std::uint32_t> take_number();
  Result<Member> take_member();
  Result<void> skip(std::uint64_t byte_count);
  Result<void> skip_member(const Member& member);
  Result<bool> find_file();
  Result<std::size_t> copy(MutableByteSpan buffer);
  Result<void> finish();
  Result<std::uint32_t> take_descriptor();

  State state_ = State::before;
  Member member_;
  std::uint32_t signature_ = 0;  // of the next header, once the file was read
  std::uint32_t checksum_ = 0;   // of the bytes so far
  [[nodiscard]] bool member_ended() const {
    return member_.method == deflated ? stream_ended() : member_.byte_count == 0;
  }
};

Result<std::size_t> ZipSource::decode(MutableByteSpan buffer) {
  if (!is_ready()) return std::unexpected(Error{ErrorKind::limit, "not enough memory for the zip decoder"});
  if (state_ == State::before) {
    const auto signature = take_number();
    if (!signature) return std::unexpected(signature.error());
    signature_ = *signature;
    const auto found = find_file();
    if (!found) return std::unexpected(found.error());
    if (!*found) return unsupported("is a zip archive without files");
    state_ = State::inside;
  }
  if (state_ == State::after) return std::size_t{0};
  const auto made = member_.method == deflated ? inflate(buffer) : copy(buffer);
  if (!made) return made;
  checksum_ = static_cast<std::uint32_t>(::crc32(checksum_, buffer.data(), static_cast<uInt>(*made)));
  if (!member_ended()) return made;
  state_ = State::after;
  if (auto finished = finish(); !finished)
    return fail(*made, finished.error().kind, finished.error().message);
  return made;
}

Result<void> ZipSource::take_all(MutableByteSpan bytes) {
  const auto is_whole = take(bytes);
  if (!is_whole) return std::unexpected(is_whole.error());
  if (!*is_whole) return damaged("truncated");
  return {};
}

Result<std::uint32_t> ZipSource::take_number() {
  std::array<std::uint8_t, 4> bytes{};
  if (auto taken = take_all(bytes); !taken) return std::unexpected(taken.error());
  return decode_le<std::uint32_t>(bytes.data());
}

/// Reads the local header after its signature.
Result<Member> ZipSource::take_member() {
  std::array<std::uint8_t, local_header_bytes> bytes{};
  if (auto taken = take_all(bytes); !taken) return std::unexpected(taken.error());
  Member member{.flags = decode_le<std::uint16_t>(&bytes[2]),
                .method = decode_le<std::uint16_t>(&bytes[4]),
                .checksum = decode_le<std::uint32_t>(&bytes[10]),
                .byte_count = decode_le<std::uint32_t>(&bytes[14]),
                .name = std::string(decode_le<std::uint16_t>(&bytes[22]), '\0')};
  std::vector<std::uint8_t> name(member.name.size());
  if (auto taken = take_all(name); !taken) return std::unexpected(taken.error());
  member.name.assign(name.begin(), name.end());
  if (auto skipped = skip(decode_le<std::uint16_t>(&bytes[24])); !skipped) {
    return std::unexpected(skipped.error());
  }
  return member;
}

Result<void> ZipSource::skip(std::uint64_t byte_count) {
  while (byte_count != 0) {
    const auto input = pending();
    if (!input) return std::unexpected(input.error());
    if (input->empty()) return damaged("truncated");
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(byte_count, input->size()));
    consume(length);
    byte_count -= length;
  }
  return {};
}

Result<void> ZipSource::skip_member(const Member& member) {
  if ((member.flags & has_descriptor) != 0 && !member.name.ends_with('/')) {
    return unsupported("is a zip archive with a file of unknown size before or after the dump");
  }
  return skip(member.byte_count);
}

/// Skips folders. Returns whether a file comes next; the current signature is that of a header.
Result<bool> ZipSource::find_file() {
  while (signature_ == local_header) {
    auto member = take_member();
    if (!member) return std::unexpected(member.error());
    member_ = std::move(*member);
    if (!member_.is_skipped()) break;
    if (auto skipped = skip_member(member_); !skipped) return std::unexpected(skipped.error());
    const auto next = take_number();
    if (!next) return std::unexpected(next.error());
    signature_ = *next;
  }
  if (signature_ == central_header) return false;
  if (signature_ != local_header) return damaged("damaged");
  if ((member_.flags & is_encrypted) != 0) return unsupported("is a zip archive with an encrypted file");
  const bool has_size = (member_.flags & has_descriptor) == 0 && member_.byte_count != UINT32_MAX;
  if (member_.method != deflated && (member_.method != stored || !has_size)) {
    return unsupported("is a zip archive with a file that is neither deflated nor stored with its size");
  }
  return true;
}

Result<std::size_t> ZipSource::copy(MutableByteSpan buffer) {
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(member_.byte_count, buffer.size()));
  std::size_t copied = 0;
  if (length != 0) {
    const auto input = pending();
    if (!input) return std::unexpected(input.error());
    if (input->empty()) return damaged("truncated");
    copied = std::min(length, input->size());
    std::copy_n(input->begin(), copied, buffer.begin());
    consume(copied);
  }
  member_.byte_count -= copied;
  return copied;
}

/// Reads the checksum after the file, and then the signature of the next header.
Result<std::uint32_t> ZipSource::take_descriptor() {
  auto checksum = take_number();
  if (checksum && *checksum == descriptor_header) checksum = take_number();
  if (!checksum) return checksum;
  // The two sizes have 32 bits or, in large archives, 64 bits.
  std::array<std::uint32_t, 5> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = take_number();
    if (!number) return number;
    signature_ = *number;
    if (i >= 2 && (signature_ == local_header || signature_ == central_header)) break;
  }
  return checksum;
}

/// Checks the checksum of the file, and that no other file comes after it.
Result<void> ZipSource::finish() {
  if ((member_.flags & has_descriptor) != 0) {
    const auto checksum = take_descriptor();
    if (!checksum) return std::unexpected(checksum.error());
    member_.checksum = *checksum;
  } else {
    const auto next = take_number();
    if (!next) return std::unexpected(next.error());
    signature_ = *next;
  }
  if (member_.checksum != checksum_) return damaged("damaged");
  const auto has_more = find_file();
  if (!has_more) return std::unexpected(has_more.error());
  if (*has_more) return unsupported("is a zip archive with more than one file");
  return {};
}

}  // namespace

std::unique_ptr<ByteSource> make_zip_source(std::unique_ptr<ByteSource> source, const Limits& limits) {
  return std::make_unique<ZipSource>(std::move(source), limits);
}

}  // namespace heapcheck::core
