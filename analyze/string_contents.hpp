// The contents of the strings of a graph. V8's files do not contain those of concatenated strings, so they
// are put together from their parts, as in Chrome DevTools (HeapSnapshot.ts: consStringName). Borrows the
// graph.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/text_hasher.hpp"
#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// What strings whose contents begin with the same text must have in common to be equal.
struct StringIdentity {
  bool has_size = false;                    ///< whether they take up memory
  bool is_cut = false;                      ///< whether V8 states that the contents are cut off in the file
  std::optional<std::int64_t> length = {};  ///< of contents that are cut off
  std::optional<std::int64_t> hash = {};    ///< likewise
  std::optional<std::uint64_t> size = {};   ///< in bytes, of those that may be cut off although V8 does not
                                            ///< state it
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
  /// The same if it is an element of Graph::texts rather than put together from several parts.
  [[nodiscard]] std::optional<std::string_view> find_text(std::uint32_t node) const;
  /// The hashes of that text.
  [[nodiscard]] const std::array<std::uint64_t, 2>& hashes_of(std::uint32_t node) {
    return measure(node).hashes;
  }
  /// What it has in common with equal strings, apart from the text.
  [[nodiscard]] StringIdentity identity_of(std::uint32_t node);

 private:
  enum class State : std::uint8_t { unknown, open, known };
  /// A concatenated string. Once it is known, none of its parts is empty or itself `like` another node.
  struct Pair {
    std::uint32_t first = 0;   ///< the node of the first part, or no_text
    std::uint32_t second = 0;  ///< the node of the second part, or no_text
    std::uint32_t like = 0;  ///< the innermost string in it that has the same text; may be itself or no_text
    State state = State::unknown;
    bool is_flat = false;  ///< whether one of the parts is empty
    TextMeasure measure = {};
  };

  const Graph& graph_;
  TextHasher hasher_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> pair_numbers_;  ///< by node: its index in pairs_, or no_text
  /// By index in Graph::texts, so that a long text is hashed only once even if many strings have it.
  std::vector<TextMeasure> texts_;
  /// By node that describes a number: the node of its value, or no_text.
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> values_;

  [[nodiscard]] const Pair* find_pair(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t like_of(std::uint32_t node) const;
  [[nodiscard]] const TextMeasure& measure(std::uint32_t node);
  [[nodiscard]] TextMeasure measure_start(std::uint32_t node, std::uint32_t units);
  void add_pairs();
  void join(std::uint32_t node);
  [[nodiscard]] bool open_part(std::uint32_t node, std::vector<std::uint32_t>& waiting);
  void finish(std::uint32_t node, Pair& pair);
  [[nodiscard]] std::uint32_t value_of(std::uint32_t number);
  [[nodiscard]] std::optional<std::string_view> find_value(const Node& node, std::string_view name,
                                                           std::string_view type);
  [[nodiscard]] std::optional<std::int64_t> find_number(const Node& node, std::string_view name);
};

}  // namespace heapcheck::analyze
