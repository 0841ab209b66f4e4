// Places in source code. Those in answers own their strings, and those in graphs refer to the strings of the
// graph.
#pragma once

#include <cstdint>
#include <string>

namespace heapcheck {

/// Where a function, frame or class starts in source code. Equal names at different places name different
/// functions.
struct Place {
  std::string file = {};     ///< its path or URL, as in the dump; empty if it is unknown
  std::uint32_t line = 0;    ///< counted from 1; 0 if it is unknown
  std::uint32_t column = 0;  ///< counted from 1; 0 if it is unknown

  /// Whether anything is known.
  [[nodiscard]] bool is_known() const { return line != 0 || !file.empty(); }
  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The place in the source code that a node comes from. For a function or frame, this is where it starts; for
/// an object, where its constructor starts.
struct SourcePlace {
  std::uint32_t file = 0;  ///< the path or URL of the file, as an index into Graph::texts; Graph::no_text if
                           ///< it is unknown
  std::uint32_t line = 0;  ///< counted from 1; 0 if it is unknown
  std::uint32_t column = 0;  ///< counted from 1; 0 if it is unknown

  bool operator==(const SourcePlace&) const = default;
};

/// A node with its place.
struct NodePlace {
  std::uint32_t node = 0;   ///< the index of the node
  std::uint32_t place = 0;  ///< an index into Graph::source_places
};

}  // namespace heapcheck
