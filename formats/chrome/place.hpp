// Where in a trace a JSON value stands that a payload reader reads: turns what its JsonReader knows
// (offsets) into locations. Needed because `args.dumps` may be JSON inside of a JSON string.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::chrome {

struct Place {
  /// Of the value, JSON-Pointer-like: `/traceEvents/12/args/dumps/heaps`.
  std::string path;
  /// The string that holds the JSON, where it stands in one: offsets then count in its decoded text.
  std::optional<Span> string = std::nullopt;

  /// The location of what a JsonReader's span() gave, below `path` (`suffix` begins with a slash or is
  /// empty).
  [[nodiscard]] Location locate(Span span, std::string_view suffix = {}) const {
    if (string) return {*string, span, path + std::string(suffix)};
    return {span, std::nullopt, path + std::string(suffix)};
  }
};

/// `name` as a part of a path: with `~` and `/` escaped as JSON Pointer (RFC 6901) does.
std::string escape_key(std::string_view name);

}  // namespace heapcheck::chrome
