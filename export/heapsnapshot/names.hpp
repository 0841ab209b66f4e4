// The strings of an exported snapshot: names in the form that DevTools shows. Borrows the graph and owns the
// strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::exports::heapsnapshot {

/// The name of a node as it is written. DevTools cuts names that begin with `<` off after their first word,
/// and renames objects called `Object` after their properties, so such names are put in brackets. Source:
/// HeapSnapshot.ts, calculateClassNames() and inferInterfaceDefinitions().
[[nodiscard]] std::string make_node_name(std::string_view name);

class Names {
 public:
  explicit Names(const Graph& graph);

  /// The index of the string for the name of a node, or for a string of the graph that is written unchanged.
  std::uint64_t of_node(std::uint32_t node);
  std::uint64_t of_text(std::uint32_t text);

  /// The number of names that were shortened.
  [[nodiscard]] std::uint64_t shortened() const { return shortened_; }
  v8::heapsnapshot::StringTable take() { return std::move(strings_); }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  std::uint64_t add(std::string_view text);

  const Graph& graph_;
  std::vector<std::uint64_t> nodes_;  // by string of the graph; `unknown` if it was not added
  std::vector<std::uint64_t> texts_;
  std::unordered_map<std::string, std::uint64_t, core::KeyedHash> added_;  // the strings as they are written
  v8::heapsnapshot::StringTable strings_;
  std::uint64_t shortened_ = 0;
};

}  // namespace heapcheck::exports::heapsnapshot
