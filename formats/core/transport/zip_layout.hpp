// The parts of a zip archive, as described in APPNOTE.TXT, "ZIP File Format Specification".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/bytes.hpp"
#include "formats/core/codec.hpp"

namespace heapcheck::core::zip {

inline constexpr std::uint32_t local_header = 0x04034B50;
inline constexpr std::uint32_t central_header = 0x02014B50;
inline constexpr std::uint32_t descriptor_header = 0x08074B50;
inline constexpr std::uint32_t extra_data = 0x08064B50;
inline constexpr std::uint32_t digital_signature = 0x05054B50;
inline constexpr std::uint32_t zip64_end = 0x06064B50;
inline constexpr std::uint32_t zip64_locator = 0x07064B50;
inline constexpr std::uint32_t end_of_directory = 0x06054B50;
// Sizes after the signature.
inline constexpr std::size_t local_header_bytes = 26;
inline constexpr std::size_t central_header_bytes = 42;
inline constexpr std::size_t end_of_directory_bytes = 18;
inline constexpr std::uint16_t is_encrypted = 1;
inline constexpr std::uint16_t has_descriptor = 8;
inline constexpr std::uint16_t stored = 0;
inline constexpr std::uint16_t deflated = 8;

inline constexpr std::uint16_t zip64_field = 1;

inline constexpr std::size_t detection_bytes = 4096;

struct Member {
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t byte_count = 0;  ///< in the archive
  std::string name;

  [[nodiscard]] bool is_folder() const { return name.ends_with('/'); }
  [[nodiscard]] bool is_skipped() const { return is_folder() || name.starts_with("__MACOSX/"); }
};

inline bool is_header(std::uint32_t signature) {
  return signature == local_header || signature == central_header;
}

/// For archives of 4 GiB or more: the size that a member takes up in the archive, from the extra field of the
/// member's header.
inline std::optional<std::uint64_t> find_zip64_size(ByteSpan extra) {
  while (extra.size() >= 4) {
    const auto id = decode_le<std::uint16_t>(extra.data());
    const std::size_t byte_count = decode_le<std::uint16_t>(&extra[2]);
    extra = extra.subspan(4);
    if (byte_count > extra.size()) break;
    // The size of the content comes first.
    if (id == zip64_field && byte_count >= 16) return decode_le<std::uint64_t>(&extra[8]);
    extra = extra.subspan(byte_count);
  }
  return std::nullopt;
}

/// The reason why the content of a member cannot be read, or null if it can be read.
inline const char* find_obstacle(const Member& member) {
  if ((member.flags & is_encrypted) != 0) return "is a zip archive with an encrypted file";
  const bool has_size = (member.flags & has_descriptor) == 0 && member.byte_count != UINT32_MAX;
  const bool is_readable = member.method == deflated || (member.method == stored && has_size);
  return is_readable ? nullptr
                     : "is a zip archive with a file that is neither deflated nor stored with its size";
}

/// A record of the central directory: the size of its fixed part, after the signature.
struct DirectoryRecord {
  std::uint32_t signature;
  std::size_t byte_count;
};
inline constexpr std::array directory_records{
    DirectoryRecord{central_header, central_header_bytes}, DirectoryRecord{extra_data, 4},
    DirectoryRecord{digital_signature, 2}, DirectoryRecord{zip64_end, 8}, DirectoryRecord{zip64_locator, 16}};

/// The number of bytes after the fixed part of a record.
inline std::uint64_t count_rest(std::uint32_t signature, const std::uint8_t* bytes) {
  switch (signature) {
    case central_header:  // name, extra field and comment
      return std::uint64_t{decode_le<std::uint16_t>(bytes + 24)} + decode_le<std::uint16_t>(bytes + 26) +
             decode_le<std::uint16_t>(bytes + 28);
    case extra_data:
      return decode_le<std::uint32_t>(bytes);
    case digital_signature:
      return decode_le<std::uint16_t>(bytes);
    case zip64_end:
      return decode_le<std::uint64_t>(bytes);
    default:
      return 0;
  }
}

}  // namespace heapcheck::core::zip
