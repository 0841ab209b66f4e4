#include "formats/detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/detect_json.hpp"
#include "formats/format.hpp"

namespace heapcheck::formats {
namespace {

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

/// Text of two bytes a character: with a byte order mark, or of characters of which one byte is zero.
bool is_utf16(core::ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  if (bytes.size() < 4) return false;
  const std::size_t zero = bytes[0] == 0 ? 0 : 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 16); ++i) {
    const bool fits = i % 2 == zero ? bytes[i] == 0 : is_text(bytes.subspan(i, 1));
    if (!fits) return false;
  }
  return true;
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

constexpr std::string_view other_json =
    "is JSON, but of no known format: a trace is an object with `traceEvents` or an array of events, "
    "a V8 heap snapshot starts with {\"snapshot\":, a V8 heap profile with {\"head\":";

Detection of_json(JsonKind kind) {
  switch (kind) {
    case JsonKind::trace:
      return {Format::chrome_trace, {}};
    case JsonKind::v8_heapsnapshot:
      return {Format::v8_heapsnapshot, {}};
    case JsonKind::v8_heapprofile:
      return {Format::v8_heapprofile, {}};
    case JsonKind::v8_cpuprofile:
      return {std::nullopt, "is a V8 CPU profile, which says nothing of a heap"};
    case JsonKind::cut:
      return {std::nullopt, "is JSON that ends before it tells its format: cut, or of no known format", true};
    case JsonKind::open:
      return {Format::chrome_trace, std::string(other_json), true, true};
    case JsonKind::other:
      break;
  }
  return {std::nullopt, std::string(other_json), true};
}

}  // namespace

Detection detect(core::ByteSpan first_bytes) {
  for (const FormatInfo& info : all_info()) {
    if (info.version != nullptr && info.version->recognises(first_bytes)) return {info.format, {}};
  }
  if (first_bytes.empty()) return {std::nullopt, "is empty; a heap dump has at least a format's first bytes"};
  const std::string_view text = core::as_text(first_bytes);
  if (moarvm_magic.starts_with(text)) return {std::nullopt, std::string(ends_early)};
  if (text.starts_with(moarvm_magic)) return {std::nullopt, explain_version(text)};
  if (is_utf16(first_bytes)) return {std::nullopt, "is UTF-16 text, heapcheck reads UTF-8", true};
  if (const auto kind = find_json_kind(first_bytes, first_bytes.size() < detection_bytes))
    return of_json(*kind);
  return {std::nullopt,
          fmt::format("is of no known format: it looks like {}; a MoarVM heap dump starts with "
                      "\"MoarHeapDumpv002\" or \"MoarHeapDumpv003\", one of version 1 with \"strings: \", a "
                      "trace with {{ or [, what V8 writes with {{",
                      describe_stranger(first_bytes)),
          true};
}

}  // namespace heapcheck::formats
