// Escapes text for the documents that CI systems read. The text must not contain control characters other
// than line feeds: see formats/core/text/excerpt.hpp.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::core {

/// Text for the content of an element or an attribute in XML or HTML. Line feeds are the only control
/// characters that may be in the text. U+FFFE and U+FFFF, which XML does not allow, become question marks.
[[nodiscard]] std::string escape_xml(std::string_view text);

/// The message of a workflow command of GitHub, which ends at the end of the line.
[[nodiscard]] std::string escape_command_data(std::string_view text);
/// The value of a property of such a command, which ends at a comma or at `::`.
[[nodiscard]] std::string escape_command_property(std::string_view text);

/// A path as a URI: bytes that RFC 3986 reserves are percent-encoded.
[[nodiscard]] std::string make_uri(std::string_view path);

/// The path as CI systems write it, without `./` at its start.
constexpr std::string_view without_dot(std::string_view path) {
  while (path.starts_with("./") && path.size() > 2) path.remove_prefix(2);
  return path;
}

}  // namespace heapcheck::core
