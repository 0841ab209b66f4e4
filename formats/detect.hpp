// Tells the format of a file by its first bytes. The name of a file never counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::formats {

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
