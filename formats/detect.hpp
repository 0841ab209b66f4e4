// Recognises the format of a file by its first bytes; the file's name is never considered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::formats {

/// The number of bytes at the start of a file that detect() examines.
inline constexpr std::size_t detection_bytes = 4096;

struct Detection {
  std::optional<Format> format;
  /// If there is no format, or only a guess that may turn out to be wrong, one sentence of the form "found X,
  /// expected Y" without a full stop.
  std::string explanation;
  /// True if the file does not look like a heap dump of any kind; false for an empty or truncated file and
  /// for unsupported versions.
  bool is_of_unknown_format = false;
  /// True if the first bytes do not determine the format. The file is then assumed to be a trace until
  /// reading it shows otherwise.
  bool is_guess = false;
};

/// Recognises the format of a file that starts with `first_bytes`, which are detection_bytes bytes or all
/// bytes of a shorter file. The format of the heap dumps in a trace is not known until the trace has been
/// read.
Detection detect(core::ByteSpan first_bytes);

/// The number of bytes at the start of a file in which open() searches for the header of a heap snapshot if
/// the first detection_bytes bytes do not determine the format. This is the number of bytes that fit in a
/// window of the default size.
inline constexpr std::size_t late_header_bytes = 256 * 1024;

/// Whether `first_bytes` begin a heap snapshot, possibly with other members before its header.
bool has_snapshot_header(core::ByteSpan first_bytes);

/// Explains a file that is one of the parts into which Julia streams a heap snapshot, `.metadata.json`: it is
/// only the header of a snapshot. Nothing if it is not, or if `first_bytes` are not the whole file.
std::optional<std::string> explain_streamed_header(core::ByteSpan first_bytes);

/// Whether the document is an object whose only member is the header of a heap snapshot.
bool has_only_header(core::ByteSpan bytes);

/// The kind of a JSON document. JSON formats have no magic.
enum class JsonKind : std::uint8_t {
  trace,            ///< an object with `traceEvents`, or an array of events
  v8_heapsnapshot,  ///< an object with `snapshot`, or with a `nodes`, `edges` or `strings` array before it
  v8_heapprofile,   ///< an object with `head`, or with the `samples` of a heap profile before it
  v8_cpuprofile,    ///< an object with a `head` that counts hits, as written by old versions
  webkit_snapshot,  ///< an object with the `type` of WebKit's heap snapshots
  other,            ///< a different kind of JSON
  open,             ///< the first bytes do not show the kind, but the rest may show that this is a trace
  cut,              ///< JSON that ends before it shows its kind
};

/// The kind of JSON document that begins with `first_bytes`, or nothing if they are not JSON. `is_all` is
/// true if the document has no more bytes.
std::optional<JsonKind> find_json_kind(core::ByteSpan first_bytes, bool is_all);

}  // namespace heapcheck::formats
