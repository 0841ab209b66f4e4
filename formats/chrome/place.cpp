#include "formats/chrome/place.hpp"

namespace heapcheck::chrome {

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

}  // namespace heapcheck::chrome
