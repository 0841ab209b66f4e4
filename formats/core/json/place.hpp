// The places of values in a JSON document, and the paths by which findings name them.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::core {

/// The place of a value, which turns offsets in its JsonReader into locations. The value may be in a document
/// that is itself a string in another document.
struct JsonPlace {
  /// The path of the value in the style of a JSON Pointer, such as `/traceEvents/12/args/dumps/heaps`; empty
  /// for the whole document.
  std::string path = {};
  /// The string that contains the JSON, if any. Offsets are then relative to its decoded text.
  std::optional<Span> string = std::nullopt;

  /// The location of a span returned by JsonReader::span(), with `suffix` appended to its path. `suffix`
  /// either begins with a slash or is empty.
  [[nodiscard]] Location locate(Span span, std::string_view suffix = {}) const {
    if (string) return {*string, span, path + std::string(suffix)};
    return {span, std::nullopt, path + std::string(suffix)};
  }
};

/// `name` as a part of a path, with `~` and `/` escaped as in JSON Pointer (RFC 6901).
[[nodiscard]] inline std::string escape_key(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (const char c : name) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

/// A path below that of a value: `prefix`, followed by the index of a row and a member of that row. It is
/// only turned into text when a finding is described, because prefixes can be long. Borrows its parts.
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
  std::string_view member;  ///< its name, which is not escaped yet

  [[nodiscard]] std::string text() const {
    std::string text(prefix);
    if (row != no_row) text += "/" + std::to_string(row);
    if (!member.empty()) text += "/" + escape_key(member);
    return text;
  }
};

}  // namespace heapcheck::core
