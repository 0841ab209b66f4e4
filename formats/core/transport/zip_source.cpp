#include <array>
#include <optional>

#include "formats/core/text/excerpt.hpp"
#include "formats/core/transport/decoders.hpp"
#include "formats/core/transport/inflating_source.hpp"
#include "formats/core/transport/zip_layout.hpp"

namespace heapcheck::core {
namespace {

using namespace zip;

/// Names for a message: the first few names, and the total number of names.
struct Names {
  std::string list;
  std::uint64_t count = 0;

  void add(const std::string& name) {
    constexpr std::uint64_t most = 5;
    ++count;
    if (count <= most) list += (count == 1 ? "" : ", ") + make_excerpt(name, SIZE_MAX);
    if (count == most + 1) list += ", ...";
  }
};

class ZipSource final : public InflatingSource {
 public:
  ZipSource(std::unique_ptr<ByteSource> source, const Limits& limits, IsDump is_dump)
      : InflatingSource(std::move(source), limits, -MAX_WBITS, "zip archive"), is_dump_(std::move(is_dump)) {}

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override;

 private:
  enum class State : std::uint8_t { before, inside, after };

  static std::unexpected<Error> unsupported(std::string message) {
    return std::unexpected(Error{ErrorKind::unsupported, std::move(message)});
  }
  // Parts of the archive.
  Result<void> take_all(MutableByteSpan bytes);
  Result<std::uint32_t> take_number();
  Result<void> take_signature();
  Result<Member> take_member();
  Result<std::uint32_t> take_descriptor();
  Result<void> skip(std::uint64_t byte_count);
  // One member.
  Result<bool> open_member();
  Result<void> skip_unread();
  Result<std::size_t> read_member(MutableByteSpan buffer);
  Result<std::size_t> copy(MutableByteSpan buffer);
  Result<void> look_at_member();
  Result<void> skip_member();
  Result<void> close_member();
  // The whole archive.
  Result<bool> find_dump();
  Result<void> explain_no_dump() const;
  std::size_t take_first_bytes(MutableByteSpan buffer);
  Result<void> finish();
  Result<void> check_directory();
  Result<std::uint64_t> take_record();
  Result<void> check_end(std::uint64_t entry_count);

  [[nodiscard]] bool member_ended() const {
    return member_.method == deflated ? stream_ended() : member_.byte_count == 0;
  }

  IsDump is_dump_;
  State state_ = State::before;
  Member member_;
  std::uint32_t signature_ = 0;            // the signature of the next header, once a member has been read
  std::uint32_t checksum_ = 0;             // the checksum of the bytes so far
  std::vector<std::uint8_t> first_bytes_;  // the first bytes of the member, until they are returned
  std::uint64_t member_count_ = 0;
  Names dumps_;
  Names others_;
  const char* obstacle_ = nullptr;  // why a member that was skipped could not be read
  const char* truncated_ = "truncated";
};

Result<std::size_t> ZipSource::decode(MutableByteSpan buffer) {
  if (!is_ready()) return std::unexpected(Error{ErrorKind::limit, no_memory()});
  if (state_ == State::before) {
    if (auto taken = take_signature(); !taken) return std::unexpected(taken.error());
    const auto found = find_dump();
    if (!found) return std::unexpected(found.error());
    state_ = *found ? State::inside : State::after;
  }
  if (!first_bytes_.empty()) return take_first_bytes(buffer);
  if (state_ == State::after) return std::size_t{0};
  const auto made = read_member(buffer);
  if (!made || *made != 0) return made;
  state_ = State::after;
  if (auto finished = finish(); !finished) return std::unexpected(finished.error());
  return std::size_t{0};
}

std::size_t ZipSource::take_first_bytes(MutableByteSpan buffer) {
  const std::size_t length = std::min(buffer.size(), first_bytes_.size());
  const auto end = first_bytes_.begin() + static_cast<std::ptrdiff_t>(length);
  std::copy(first_bytes_.begin(), end, buffer.begin());
  first_bytes_.erase(first_bytes_.begin(), end);
  return length;
}

Result<void> ZipSource::take_all(MutableByteSpan bytes) {
  const auto is_whole = take(bytes);
  if (!is_whole) return std::unexpected(is_whole.error());
  if (!*is_whole) return damaged(truncated_);
  return {};
}

Result<std::uint32_t> ZipSource::take_number() {
  std::array<std::uint8_t, 4> bytes{};
  if (auto taken = take_all(bytes); !taken) return std::unexpected(taken.error());
  return decode_le<std::uint32_t>(bytes.data());
}

Result<void> ZipSource::take_signature() {
  const auto signature = take_number();
  if (!signature) return std::unexpected(signature.error());
  signature_ = *signature;
  return {};
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
  std::vector<std::uint8_t> extra(decode_le<std::uint16_t>(&bytes[24]));
  if (auto taken = take_all(extra); !taken) return std::unexpected(taken.error());
  if (member.byte_count == UINT32_MAX) member.byte_count = find_zip64_size(extra).value_or(UINT32_MAX);
  ++member_count_;
  return member;
}

Result<void> ZipSource::skip(std::uint64_t byte_count) {
  while (byte_count != 0) {
    const auto input = pending();
    if (!input) return std::unexpected(input.error());
    if (input->empty()) return damaged(truncated_);
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(byte_count, input->size()));
    consume(length);
    byte_count -= length;
  }
  return {};
}

/// Moves to the content of the next file or folder. Returns false if there is none.
Result<bool> ZipSource::open_member() {
  while (signature_ == local_header) {
    auto member = take_member();
    if (!member) return std::unexpected(member.error());
    member_ = std::move(*member);
    if (find_obstacle(member_) == nullptr) {
      start_next_stream();
      checksum_ = 0;
      return true;
    }
    if (auto skipped = skip_unread(); !skipped) return std::unexpected(skipped.error());
  }
  if (signature_ == central_header || signature_ == extra_data || signature_ == end_of_directory)
    return false;
  return damaged("damaged");
}

/// Skips a folder, or a file that cannot be read.
Result<void> ZipSource::skip_unread() {
  const bool has_unknown_size = (member_.flags & has_descriptor) != 0 || member_.byte_count == UINT32_MAX;
  if (!member_.is_folder()) {
    obstacle_ = find_obstacle(member_);
    if (has_unknown_size) return unsupported(obstacle_);
  }
  if (auto skipped = skip(member_.byte_count); !skipped) return skipped;
  auto taken = take_signature();
  // A folder may have a descriptor of up to 24 bytes.
  for (int i = 0; i < 6 && taken && has_unknown_size && !is_header(signature_); ++i) taken = take_signature();
  return taken;
}

/// Reads the next bytes of the content. Returns 0 only at its end.
Result<std::size_t> ZipSource::read_member(MutableByteSpan buffer) {
  if (member_ended()) return std::size_t{0};
  const auto made = member_.method == deflated ? inflate(buffer) : copy(buffer);
  if (made)
    checksum_ = static_cast<std::uint32_t>(::crc32(checksum_, buffer.data(), static_cast<uInt>(*made)));
  return made;
}

Result<std::size_t> ZipSource::copy(MutableByteSpan buffer) {
  const auto input = pending();
  if (!input) return std::unexpected(input.error());
  if (input->empty()) return damaged("truncated");
  const auto length =
      static_cast<std::size_t>(std::min<std::uint64_t>({member_.byte_count, buffer.size(), input->size()}));
  std::copy_n(input->begin(), length, buffer.begin());
  consume(length);
  member_.byte_count -= length;
  return length;
}

/// Reads the first bytes of the content.
Result<void> ZipSource::look_at_member() {
  first_bytes_.resize(detection_bytes);
  std::size_t length = 0;
  while (length < first_bytes_.size()) {
    const auto made = read_member(MutableByteSpan(first_bytes_).subspan(length));
    if (!made && length == 0) return std::unexpected(made.error());
    if (!made || *made == 0) break;
    length += *made;
  }
  first_bytes_.resize(length);
  return {};
}

/// Reads the rest of the content, but only to check it.
Result<void> ZipSource::skip_member() {
  std::vector<std::uint8_t> buffer(std::size_t{64} * 1024);
  for (;;) {
    const auto made = read_member(buffer);
    if (!made) return std::unexpected(made.error());
    if (*made == 0) return close_member();
  }
}

/// Reads the checksum after the file, and then the signature of the next header.
Result<std::uint32_t> ZipSource::take_descriptor() {
  auto checksum = take_number();
  if (checksum && *checksum == descriptor_header) checksum = take_number();
  if (!checksum) return checksum;
  // The two sizes have 32 bits each or, in large archives, 64 bits each.
  std::array<std::uint32_t, 5> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = take_number();
    if (!number) return number;
    signature_ = *number;
    if (i >= 2 && is_header(signature_)) break;
  }
  return checksum;
}

/// Verifies the checksum of the content and moves to the next header.
Result<void> ZipSource::close_member() {
  if ((member_.flags & has_descriptor) != 0) {
    const auto checksum = take_descriptor();
    if (!checksum) return std::unexpected(checksum.error());
    member_.checksum = *checksum;
  } else if (auto taken = take_signature(); !taken) {
    return taken;
  }
  if (member_.checksum == checksum_) return {};
  note_corruption();
  return damaged("damaged (incorrect checksum)");
}

/// Moves to the next file that may be a heap dump. Returns false if there is none.
Result<bool> ZipSource::find_dump() {
  for (;;) {
    const auto opened = open_member();
    if (!opened) return opened;
    if (!*opened) break;
    if (auto looked = look_at_member(); !looked) return std::unexpected(looked.error());
    const bool may_be_dump = !member_.is_skipped() && is_dump_(first_bytes_);
    if (!member_.is_skipped()) (may_be_dump ? dumps_ : others_).add(member_.name);
    if (may_be_dump) return true;
    if (auto skipped = skip_member(); !skipped) return std::unexpected(skipped.error());
  }
  if (dumps_.count == 0)
    if (auto explained = explain_no_dump(); !explained) return std::unexpected(explained.error());
  return false;
}

/// The reason why the archive cannot be read. If the archive contains only one file, the reason is what that
/// file begins with.
Result<void> ZipSource::explain_no_dump() const {
  if (obstacle_ != nullptr) return unsupported(obstacle_);
  if (others_.count == 0) return unsupported("is a zip archive without files");
  if (others_.count == 1) return {};
  return std::unexpected(Error{ErrorKind::unknown_format,
                               "is a zip archive without a heap dump; its files are " + others_.list});
}

/// Reads the rest of the archive after the heap dump.
Result<void> ZipSource::finish() {
  truncated_ = "truncated: its central directory is missing or incomplete";
  if (auto closed = close_member(); !closed) return closed;
  for (;;) {
    const auto found = find_dump();
    if (!found) return std::unexpected(found.error());
    if (!*found) break;
    if (auto skipped = skip_member(); !skipped) return skipped;
  }
  first_bytes_.clear();
  if (auto checked = check_directory(); !checked) return checked;
  if (dumps_.count == 1) return {};
  return unsupported("is a zip archive with " + std::to_string(dumps_.count) +
                     " files that may be heap dumps, " + dumps_.list +
                     ": extract one of them, for example with `unzip -p`");
}

/// Reads the central directory. spec: APPNOTE.TXT, 4.3.6
Result<void> ZipSource::check_directory() {
  std::uint64_t entry_count = 0;
  while (signature_ != end_of_directory) {
    const auto rest = take_record();
    if (!rest) return std::unexpected(rest.error());
    if (signature_ == central_header) ++entry_count;
    if (auto skipped = skip(*rest); !skipped) return skipped;
    if (auto taken = take_signature(); !taken) return taken;
  }
  return check_end(entry_count);
}

/// Reads the start of a record in the central directory. Returns the number of bytes that follow in the
/// record.
Result<std::uint64_t> ZipSource::take_record() {
  const auto record = std::ranges::find(directory_records, signature_, &DirectoryRecord::signature);
  if (record == directory_records.end()) return damaged("damaged in its central directory");
  std::array<std::uint8_t, central_header_bytes> bytes{};
  const auto taken = take_all(MutableByteSpan(bytes).first(record->byte_count));
  if (!taken) return std::unexpected(taken.error());
  return count_rest(signature_, bytes.data());
}

/// Reads the last record of the archive and anything after it.
Result<void> ZipSource::check_end(std::uint64_t entry_count) {
  std::array<std::uint8_t, end_of_directory_bytes> bytes{};
  if (auto taken = take_all(bytes); !taken) return taken;
  const auto count = decode_le<std::uint16_t>(&bytes[6]);
  const bool is_right = count == UINT16_MAX || count == (entry_count & UINT16_MAX);
  if (entry_count != member_count_ || !is_right) return damaged("damaged in its central directory");
  if (auto skipped = skip(decode_le<std::uint16_t>(&bytes[16])); !skipped) return skipped;
  const auto taken = take_trailing_bytes("zip archive");
  return taken ? Result<void>() : std::unexpected(taken.error());
}

}  // namespace

bool is_zip(ByteSpan first_bytes) {
  if (first_bytes.size() < sizeof(std::uint32_t)) return false;
  const auto signature = decode_le<std::uint32_t>(first_bytes.data());
  return signature == local_header || signature == end_of_directory;
}

std::unique_ptr<ByteSource> make_zip_source(std::unique_ptr<ByteSource> source, const Limits& limits,
                                            const IsDump& is_dump) {
  return std::make_unique<ZipSource>(std::move(source), limits, is_dump);
}

}  // namespace heapcheck::core
