#include "formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v3/reader.hpp"

namespace heapcheck::formats {
namespace {

struct FormatInfo {
  Format format;
  std::string_view slug;
  std::string_view title;
  bool (*recognises)(core::ByteSpan first_bytes);
};

constexpr std::array formats{
    FormatInfo{Format::mvmheap_v1, "mvmheap-v1", "MoarVM heap dump, version 1", mvmheap::v1::is_v1},
    FormatInfo{Format::mvmheap_v2, "mvmheap-v2", "MoarVM heap dump, version 2", mvmheap::v2::is_v2},
    FormatInfo{Format::mvmheap_v3, "mvmheap-v3", "MoarVM heap dump, version 3", mvmheap::v3::is_v3},
};

/// Files that people hand over by mistake, by their first bytes.
struct Stranger {
  std::string_view magic;
  std::string_view what;
};
constexpr std::array strangers{
    Stranger{"\x89PNG", "a PNG image"},
    Stranger{"\x7F"
             "ELF",
             "an ELF program"},
    Stranger{"PK\x03\x04", "a zip archive"},
    Stranger{"%PDF", "a PDF document"},
    Stranger{"JAVA PROFILE", "a Java heap dump"},
    Stranger{"\xFF\xD8\xFF", "a JPEG image"},
    Stranger{"BZh", "bzip2 data"},
    Stranger{"\xFD"
             "7zXZ",
             "xz data"},
    Stranger{"SQLite format 3", "an SQLite database"},
};

bool is_text(core::ByteSpan bytes) {
  return std::ranges::all_of(
      bytes, [](std::uint8_t byte) { return byte >= 0x20 || (byte >= 0x09 && byte <= 0x0D); });
}

std::string describe_stranger(core::ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes);
  for (const Stranger& stranger : strangers) {
    if (text.starts_with(stranger.magic)) return std::string(stranger.what);
  }
  return is_text(bytes) ? "text" : "data of an unknown kind";
}

constexpr std::string_view moarvm_magic = "MoarHeapDumpv";
constexpr std::string_view ends_early = "starts like a MoarVM heap dump, but ends inside the first 16 bytes";

/// A MoarVM dump of a version that is not read.
std::string explain_version(std::string_view text) {
  std::string version(text.substr(moarvm_magic.size(), 3));
  if (version.size() < 3) return std::string(ends_early);
  const bool is_number = std::ranges::all_of(version, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return "starts like a MoarVM heap dump, but its version is no number of 3 digits";
  version.erase(0, std::min(version.find_first_not_of('0'), version.size() - 1));
  return fmt::format("is a MoarVM heap dump of version {}; this heapcheck reads versions 1, 2 and 3",
                     version);
}

}  // namespace

std::string_view slug_of(Format format) { return formats[static_cast<std::size_t>(format)].slug; }
std::string_view title_of(Format format) { return formats[static_cast<std::size_t>(format)].title; }

Detection detect(core::ByteSpan first_bytes) {
  for (const FormatInfo& info : formats) {
    if (info.recognises(first_bytes)) return {info.format, {}};
  }
  if (first_bytes.empty()) return {std::nullopt, "is empty; a heap dump has at least a format's first bytes"};
  const std::string_view text = core::as_text(first_bytes);
  if (moarvm_magic.starts_with(text)) return {std::nullopt, std::string(ends_early)};
  if (text.starts_with(moarvm_magic)) return {std::nullopt, explain_version(text)};
  return {std::nullopt,
          fmt::format("is of no known format: it looks like {}; a MoarVM heap dump starts with "
                      "\"MoarHeapDumpv002\" or \"MoarHeapDumpv003\", one of version 1 with \"strings: \"",
                      describe_stranger(first_bytes)),
          true};
}

}  // namespace heapcheck::formats
