#include "formats/core/json/place.hpp"

namespace heapcheck::core {

std::string escape_key(std::string_view name) {
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

std::string JsonPath::text() const {
  std::string text(prefix);
  if (row != no_row) text += "/" + std::to_string(row);
  if (!member.empty()) text += "/" + escape_key(member);
  return text;
}

}  // namespace heapcheck::core
