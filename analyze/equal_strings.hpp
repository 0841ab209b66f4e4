// Groups the strings of a graph by their contents. In V8's files, the rules are those of Chrome DevTools
// (HeapSnapshot.ts: getDuplicateStrings). Borrows the graph, and owns the groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/string_contents.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Equal strings.
struct StringGroup {
  std::size_t begin = 0;    ///< where its nodes begin in the list of all of them
  std::uint64_t count = 0;  ///< strings
  std::uint64_t size = 0;   ///< the size of all of them, in bytes
  bool is_cut = false;      ///< whether V8 states that the contents are cut off in the file

  /// The total size of all copies but one, assuming that the remaining one is of average size.
  [[nodiscard]] std::uint64_t wasted() const { return size - size / count; }
};

/// spec: analysis.md#equal-strings
class EqualStrings {
 public:
  /// Uses about 20 bytes for each string, 100 bytes more for each concatenated one, and 32 bytes for each
  /// element of Graph::texts. The graph must outlive it.
  explicit EqualStrings(const Graph& graph);

  /// All groups, including those of only one string, in the order of their first strings.
  [[nodiscard]] const std::vector<StringGroup>& groups() const { return groups_; }
  /// The groups of several strings that have a size, sorted by wasted memory, largest first. Strings without
  /// a size are V8's own constants.
  [[nodiscard]] std::vector<StringGroup> find_duplicates() const;
  /// The contents of the strings of a group, as far as the file has them.
  [[nodiscard]] std::string text_of(const StringGroup& group) const;
  /// The same if it is an element of Graph::texts rather than put together from several parts.
  [[nodiscard]] std::optional<std::string_view> find_text(const StringGroup& group) const;
  /// The nodes of a group, in increasing order.
  [[nodiscard]] std::span<const std::uint32_t> nodes_of(const StringGroup& group) const;

 private:
  const Graph& graph_;
  StringContents contents_;
  std::vector<std::uint32_t> nodes_;  ///< of all groups, one group after another
  std::vector<StringGroup> groups_;

  void add_groups(std::span<const std::uint32_t> same_hash);
};

}  // namespace heapcheck::analyze
