// Names as answers print them, with the place in source code after them, such as `renderLater (app.js:41)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/place.hpp"

namespace heapcheck::analyze {

/// A place in human-readable form, such as `src/app.js:41`: the last two parts of an absolute path or URL,
/// and the line.
[[nodiscard]] std::string show_place(const Place& place);
/// The same in brackets, after a space, for the end of a name; empty if nothing is known.
[[nodiscard]] std::string show_place_after(const Place& place);

/// Whether answers print the name and place as `text`. False if the place is unknown: `text` is then the name
/// alone.
[[nodiscard]] bool is_printed_as(std::string_view text, std::string_view name, const Place& place);

/// The places of a graph that `text` may name at its end. `text` and the graph must outlive this object.
class PrintedName {
 public:
  PrintedName(const Graph& graph, std::string_view text);

  /// Whether the text ends with any place of the graph.
  [[nodiscard]] bool has_place() const { return !endings_.empty(); }
  /// Whether answers print the node under this name as the text.
  [[nodiscard]] bool fits(const Node& node, std::string_view name) const;

 private:
  /// A place of the graph, and the text before it.
  struct Ending {
    const SourcePlace* place;
    std::string_view name;
  };

  std::vector<Ending> endings_;  ///< in the order of their places
};

}  // namespace heapcheck::analyze
