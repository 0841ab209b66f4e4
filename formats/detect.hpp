// Recognises the format of a file by its first bytes; the file's name is never considered.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::formats {

/// How many bytes at the start detect() looks at.
inline constexpr std::size_t detection_bytes = 4096;

struct Detection {
  std::optional<Format> format;
  /// If there is no format, or only a guess that may turn out wrong: what was found and what was expected, as
  /// one sentence without its full stop.
  std::string explanation;
  /// Whether it does not look like anything that heapcheck is for; false for an empty or truncated file and
  /// for unsupported versions.
  bool is_of_unknown_format = false;
  /// Whether the first bytes left the format open: it is a trace unless reading finds that the document is
  /// not one.
  bool is_guess = false;
};

/// Recognises the format of a file that starts with `first_bytes`: detection_bytes of them, or all of a
/// shorter file. Which heap format a trace contains is known only after it was read.
Detection detect(core::ByteSpan first_bytes);

}  // namespace heapcheck::formats
