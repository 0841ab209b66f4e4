// A place in source code, as in answers. Owns its text.
#pragma once

#include <cstdint>
#include <string>

namespace heapcheck {

/// Where a function, frame or class starts in source code. Equal names at different places name different
/// functions.
struct Place {
  std::string file;          ///< its path or URL, as in the dump; empty if it is unknown
  std::uint32_t line = 0;    ///< counted from 1; 0 if it is unknown
  std::uint32_t column = 0;  ///< counted from 1; 0 if it is unknown

  /// Whether anything is known.
  [[nodiscard]] bool is_known() const { return line != 0 || !file.empty(); }
  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place&, const Place&) = default;
};

}  // namespace heapcheck
