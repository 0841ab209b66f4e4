// Where values of a JSON document are, and the paths that findings name them by.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heapcheck/finding.hpp"

namespace heapcheck::core {

/// Where a value is: turns what its JsonReader knows (offsets) into locations. JSON may be inside of a string
/// of other JSON.
struct JsonPlace {
  /// Of the value, JSON-Pointer-like: `/traceEvents/12/args/dumps/heaps`; empty for a whole document.
  std::string path = {};
  /// The string that holds the JSON, if one does: offsets then count in its decoded text.
  std::optional<Span> string = std::nullopt;

  /// The location of what a JsonReader's span() returned, below `path` (`suffix` begins with a slash or is
  /// empty).
  [[nodiscard]] Location locate(Span span, std::string_view suffix = {}) const {
    if (string) return {*string, span, path + std::string(suffix)};
    return {span, std::nullopt, path + std::string(suffix)};
  }
};

/// `name` as a part of a path: with `~` and `/` escaped as JSON Pointer (RFC 6901) does.
[[nodiscard]] std::string escape_key(std::string_view name);

/// A path below that of a value: `prefix`, then a row of what is there, then a member of that. It becomes
/// text only where a finding is described, as prefixes can be long. Borrows what it is made of.
struct JsonPath {
  static constexpr std::uint64_t no_row = UINT64_MAX;

  JsonPath() = default;
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  JsonPath(const Text& text) : prefix(text) {}  // NOLINT(google-explicit-constructor)
  JsonPath(std::string_view of_prefix, std::uint64_t of_row, std::string_view of_member = {})
      : prefix(of_prefix), row(of_row), member(of_member) {}

  std::string_view prefix;
  std::uint64_t row = no_row;
  std::string_view member;  ///< its name, not escaped yet

  [[nodiscard]] std::string text() const;
};

}  // namespace heapcheck::core
