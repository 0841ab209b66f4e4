#include "formats/detect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"

namespace heapcheck::formats {
namespace {

using namespace std::string_view_literals;

/// Files that people pass to the program by mistake, identified by their first bytes.
struct OtherFormat {
  std::string_view magic;
  std::string_view what;
};
constexpr std::array other_formats{
    OtherFormat{"\x89PNG", "a PNG image"},
    OtherFormat{"\x7F"
                "ELF",
                "an ELF program"},
    OtherFormat{"PK\x03\x04", "a zip archive"},
    OtherFormat{"%PDF", "a PDF document"},
    OtherFormat{"JAVA PROFILE", "a Java heap dump"},
    OtherFormat{"\xFF\xD8\xFF", "a JPEG image"},
    OtherFormat{"BZh", "bzip2 data"},
    OtherFormat{"\xFD"
                "7zXZ",
                "xz data"},
    OtherFormat{"SQLite format 3", "an SQLite database"},
};

bool is_text(core::ByteSpan bytes) {
  return std::ranges::all_of(
      bytes, [](std::uint8_t byte) { return byte >= 0x20 || (byte >= 0x09 && byte <= 0x0D); });
}

std::string describe_first_bytes(core::ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes);
  for (const OtherFormat& other : other_formats) {
    if (text.starts_with(other.magic)) return std::string(other.what);
  }
  return is_text(bytes) ? "text" : "data of an unknown kind";
}

/// Returns whether `bytes` are UTF-16, which is the case if they have a byte order mark or if each of the
/// first characters has a zero byte.
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

/// The versions of MoarVM dumps in the table of formats, such as "1, 2 or 3".
std::string list_versions() {
  std::vector<std::string_view> versions;
  for (const FormatInfo& info : all_info()) {
    if (info.version != nullptr) versions.push_back(info.slug.substr(info.slug.rfind('v') + 1));
  }
  const std::string_view last = versions.back();
  versions.pop_back();
  return fmt::format("{} or {}", fmt::join(versions, ", "), last);
}

/// The explanation for a MoarVM dump whose version is not supported.
std::string explain_version(std::string_view text) {
  std::string version(text.substr(moarvm_magic.size(), 3));
  if (version.size() < 3) return std::string(ends_early);
  const bool is_number = std::ranges::all_of(version, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return "starts like a MoarVM heap dump, but its version is not a 3-digit number";
  version.erase(0, std::min(version.find_first_not_of('0'), version.size() - 1));
  return fmt::format("is a MoarVM heap dump of version {}, expected version {}", version, list_versions());
}

constexpr std::string_view other_json =
    "is JSON, but not in a known format: expected an array of events, or an object with `traceEvents` "
    "(trace), "
    "`snapshot` (V8 heap snapshot) or `head` (V8 heap profile)";

Detection of_json(JsonKind kind) {
  switch (kind) {
    case JsonKind::trace:
      return {Format::chrome_trace, {}};
    case JsonKind::v8_heapsnapshot:
      return {Format::v8_heapsnapshot, {}};
    case JsonKind::v8_heapprofile:
      return {Format::v8_heapprofile, {}};
    case JsonKind::v8_cpuprofile:
      return {std::nullopt, "is a V8 CPU profile, which contains no heap data"};
    case JsonKind::webkit_snapshot:
      return {std::nullopt,
              "is a heap snapshot in WebKit's format, expected V8's: Bun writes V8's with "
              "`generateHeapSnapshot(\"v8\")`; Safari cannot"};
    case JsonKind::cut:
      return {std::nullopt,
              "is JSON that ends before its format can be recognised: truncated, or not in a known format",
              true};
    case JsonKind::open:
      return {Format::chrome_trace, std::string(other_json), true, true};
    case JsonKind::other:
      break;
  }
  return {std::nullopt, std::string(other_json), true};
}

/// The beginnings of the binary files into which Julia streams a heap snapshot. These files have no magic,
/// but the first nodes are always the root and `GC roots`: node 1, whose name is string 1. So is the name of
/// the first edge, which leads from one to the other.
struct StreamedPart {
  std::string_view extension;
  std::string_view start;
};
constexpr std::array streamed_parts{
    // of each node: type, name, id, size, trace node, detachedness
    StreamedPart{".nodes",
                 "\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0"
                 "\0"
                 "\1\0\0\0\0\0\0\0"
                 "\1\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\0"sv},
    // of each edge: type, name, from, to
    StreamedPart{".edges",
                 "\0"
                 "\1\0\0\0\0\0\0\0"
                 "\0\0\0\0\0\0\0\0"
                 "\1\0\0\0\0\0\0\0"sv},
    // of each string: length, text
    StreamedPart{".strings",
                 "\0\0\0\0\0\0\0\0"
                 "\x8\0\0\0\0\0\0\0"
                 "GC roots"sv},
};

std::string explain_streamed_part(std::string_view extension) {
  return fmt::format(
      "is the part `{}` of a heap snapshot that Julia streamed, expected the whole snapshot: "
      "`Profile.HeapSnapshot.assemble_snapshot` makes it from its four parts",
      extension);
}

/// Whether a line after the first one begins a heap snapshot. spec: v8/heapsnapshot.md#document
bool is_snapshot_after_lines(core::ByteSpan bytes, bool is_all) {
  const std::size_t start = v8::heapsnapshot::find_line_of_document(bytes);
  return start != 0 && is_text(bytes.first(start)) &&
         find_json_kind(bytes.subspan(start), is_all) == JsonKind::v8_heapsnapshot;
}

}  // namespace

std::optional<std::string> explain_streamed_header(core::ByteSpan first_bytes) {
  // Julia's name for the last column of edges, which no other writer uses.
  const bool is_by_julia = core::as_text(first_bytes).contains("\"from_node\"");
  if (!is_by_julia || !has_only_header(first_bytes)) return std::nullopt;
  return explain_streamed_part(".metadata.json");
}

bool has_snapshot_header(core::ByteSpan first_bytes) {
  return find_json_kind(first_bytes, false) == JsonKind::v8_heapsnapshot;
}

Detection detect(core::ByteSpan first_bytes) {
  for (const FormatInfo& info : all_info()) {
    if (info.version != nullptr && info.version->recognises(first_bytes)) return {info.format, {}};
  }
  if (first_bytes.empty()) return {std::nullopt, "is empty, expected a heap dump"};
  const std::string_view text = core::as_text(first_bytes);
  if (moarvm_magic.starts_with(text)) return {std::nullopt, std::string(ends_early)};
  if (text.starts_with(moarvm_magic)) return {std::nullopt, explain_version(text)};
  for (const StreamedPart& part : streamed_parts) {
    if (text.starts_with(part.start)) return {std::nullopt, explain_streamed_part(part.extension), true};
  }
  if (is_utf16(first_bytes)) return {std::nullopt, "is UTF-16 text, expected UTF-8", true};
  const bool is_all = first_bytes.size() < detection_bytes;
  if (const auto kind = find_json_kind(first_bytes, is_all)) return of_json(*kind);
  if (is_snapshot_after_lines(first_bytes, is_all)) return {Format::v8_heapsnapshot, {}};
  return {
      std::nullopt,
      fmt::format(
          "is not in a known format: looks like {}, expected a file that starts with \"{}\", \"strings: \", "
          "{{ or [",
          describe_first_bytes(first_bytes), moarvm_magic),
      true};
}

}  // namespace heapcheck::formats
