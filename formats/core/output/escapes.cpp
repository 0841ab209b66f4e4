#include "formats/core/output/escapes.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "formats/core/text/excerpt.hpp"

namespace heapcheck::core {
namespace {

std::string_view xml_escape(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool is_no_character = text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
    const std::string_view escaped = is_no_character ? "?" : xml_escape(text.front());
    out.append(escaped.empty() ? text.substr(0, 1) : escaped);
    text.remove_prefix(is_no_character ? 3 : 1);
  }
  return out;
}

std::string escape_command_data(std::string_view text) {
  std::string out;
  for (const char c : shorten(text, SIZE_MAX)) {
    if (c == '%')
      out += "%25";
    else
      out += c;
  }
  return out;
}

std::string escape_command_property(std::string_view text) {
  std::string out;
  for (const char c : escape_command_data(text)) {
    if (c == ':')
      out += "%3A";
    else if (c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string make_uri(std::string_view path) {
  constexpr std::string_view unreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  if (path == "-") return "stdin:";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (unreserved.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace heapcheck::core
