// The formats heapcheck knows: their slugs, and how a file is told by its first bytes. The name of
// a file never counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::formats {

enum class Format : std::uint8_t {
  mvmheap_v1,
  mvmheap_v2,
  mvmheap_v3,
  chrome_trace,  ///< of no heap format: a trace that holds no heap dump, or both kinds, or is not read yet
  chrome_legacy,
  heaps_v2,
  v8_heapprofile,
  v8_heapsnapshot,
};

constexpr bool is_mvmheap(Format format) { return format <= Format::mvmheap_v3; }
constexpr bool is_trace(Format format) {
  return format == Format::chrome_trace || format == Format::chrome_legacy || format == Format::heaps_v2;
}

/// The name that options and reports use, such as `mvmheap-v3`.
std::string_view slug_of(Format format);
/// A few words for people.
std::string_view title_of(Format format);

/// How many first bytes detect() looks at.
inline constexpr std::size_t detection_bytes = 4096;

struct Detection {
  std::optional<Format> format;
  /// Where there is no format, or it is a guess that fails: what was found and what is read, as one sentence
  /// without its stop.
  std::string explanation;
  /// Whether it looks like nothing that heapcheck is for; false for an empty or cut file and for
  /// versions that are not read.
  bool is_stranger = false;
  /// Whether the first bytes left it open: it is a trace unless reading shows a document that is foreign.
  bool is_guess = false;
};

/// Tells the format of a file that starts with `first_bytes`: detection_bytes, or all if the file is
/// shorter. Which heap format a trace holds shows only when it is read.
Detection detect(core::ByteSpan first_bytes);

}  // namespace heapcheck::formats
