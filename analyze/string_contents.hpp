// The contents of the strings of a graph. V8's files do not have those of concatenated strings, which are put
// together from their parts, as in Chrome DevTools (HeapSnapshot.ts: consStringName). Borrows the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// What strings whose contents begin with the same text must have in common to be equal.
struct StringIdentity {
  bool has_size = false;                    ///< whether they take up memory
  bool is_cut = false;                      ///< whether V8 states that the contents are cut off in the file
  std::optional<std::int64_t> length = {};  ///< of contents that are cut off
  std::optional<std::int64_t> hash = {};    ///< likewise
  std::optional<std::uint64_t> size = {};   ///< in bytes, of those that may be cut off without a statement
  bool operator==(const StringIdentity&) const = default;
};

/// spec: analysis.md#equal-strings
class StringContents {
 public:
  /// The graph must outlive it.
  explicit StringContents(const Graph& graph);

  /// The strings whose contents are known, in the order of the nodes.
  [[nodiscard]] const std::vector<std::uint32_t>& nodes() const { return nodes_; }
  /// The contents of one of them, or their start.
  [[nodiscard]] std::string text_of(std::uint32_t node) const;
  /// Whether the contents of one of them are put together from its parts.
  [[nodiscard]] bool is_concatenated(std::uint32_t node) const { return find_pair(node) != nullptr; }
  /// A string that is known to have the same text: all strings with the same one are equal in that.
  [[nodiscard]] std::uint32_t source_of(std::uint32_t node) const;
  /// A hash of that text and of the identity, with the key of this process.
  [[nodiscard]] std::uint64_t hash_of(std::uint32_t node) const;
  /// What it has in common with equal strings, apart from the text.
  [[nodiscard]] StringIdentity identity_of(std::uint32_t node) const;

 private:
  enum class State : std::uint8_t { unknown, open, known };
  /// A concatenated string.
  struct Pair {
    std::uint32_t first = 0;   ///< the node of the first part, or no_text
    std::uint32_t second = 0;  ///< the node of the second part, or no_text
    std::uint32_t like = 0;    ///< the innermost string in it that has the same text; may be itself
    State state = State::unknown;
    std::uint64_t units = 0;  ///< the length of its text in UTF-16
    std::uint64_t hash = 0;   ///< of its text
  };

  const Graph& graph_;
  std::vector<std::uint32_t> nodes_;
  std::unordered_map<std::uint32_t, Pair, core::KeyedHash> pairs_;

  [[nodiscard]] const Pair* find_pair(std::uint32_t node) const;
  [[nodiscard]] std::uint64_t count_units(std::uint32_t node) const;
  void add_pairs();
  void join(std::uint32_t node);
  [[nodiscard]] bool open_part(std::uint32_t node, std::vector<std::uint32_t>& waiting);
  void finish(std::uint32_t node, Pair& pair);
};

}  // namespace heapcheck::analyze
