// Fingerprints of leaks: short strings that are stable across builds and runs of a program. They are computed
// from the steps of a path that the program itself determines. spec: analysis.md#fingerprints
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/context_functions.hpp"
#include "analyze/dominators.hpp"
#include "analyze/program_parts.hpp"
#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The name of a type, function, variable or file without what differs between runs: addresses, hashes and
/// long numbers.
[[nodiscard]] std::string generalise_name(std::string_view name);
/// The same for a property, whose name may be the key of a dictionary: without any numbers.
[[nodiscard]] std::string generalise_key(std::string_view name);

/// The hash of a string, such as `3f2a9c1b77d0`: FNV-1a with 64 bits, folded to 48.
[[nodiscard]] std::string hash_text(std::string_view text);

/// An edge on a path, with the nodes before it.
struct TraceEdge {
  std::uint64_t edge = 0;
  std::uint32_t source = 0;
  std::optional<std::uint32_t> before = {};  ///< the node before the source
  std::uint32_t depth = 0;                   ///< the number of edges from the root to the source
};

/// What must be known about the functions of a program before its steps can be described.
class TraceContexts {
 public:
  explicit TraceContexts(const Graph& graph) : graph_(graph) {}
  /// Adds a node on a path.
  void add_step(std::optional<std::uint32_t> before, std::uint32_t node);
  /// Adds a node that leaks.
  void add_leak(std::uint32_t node);

 private:
  friend class TraceSteps;
  const Graph& graph_;
  std::vector<ContextUse> uses_;
  std::map<std::uint32_t, std::uint32_t> surrounding_;  ///< by shared function: the context of a closure
};

/// The steps of many paths, as a tree. Steps are numbered; `none` is the empty path. Borrows the graph, the
/// parts and the dominators.
class TraceSteps {
 public:
  static constexpr std::uint32_t none = 0;
  struct Followed {
    std::uint32_t steps = none;
    bool is_named = false;  ///< whether the last step names the target of the edge
  };

  TraceSteps(const Graph& graph, const ProgramParts& parts, const Dominators& dominators,
             const TraceContexts& contexts);

  /// The steps up to the target of an edge, given those up to its source. The edges of a path must be
  /// followed in their order.
  Followed follow(std::uint32_t steps, const TraceEdge& at);
  /// The steps up to a leaking node. If the last edge does not name it, its type is added; if the program
  /// determines none of the steps, so is `inner`, the part of the program inside the node.
  std::uint32_t end(const Followed& followed, std::uint32_t node, std::optional<std::uint32_t> inner);
  /// The text from which the fingerprint is computed.
  [[nodiscard]] std::string text_of(std::uint32_t steps) const;

 private:
  struct Step {
    std::uint32_t parent = none;
    std::uint32_t text = 0;
    std::uint32_t depth = 0;
    bool is_anchor = false;  ///< whether it names a variable or property of the program's source code
  };

  Followed follow_v8(std::uint32_t steps, const TraceEdge& at);
  Followed follow_moar(std::uint32_t steps, const TraceEdge& at);
  Followed follow_variable(const Edge& edge, std::uint32_t context);
  Followed follow_property(const Edge& edge, std::uint32_t source);
  std::uint32_t find_outer(std::uint32_t node, std::uint32_t own);
  std::optional<std::string> describe_edge_to(std::uint32_t holder, std::uint32_t node) const;
  [[nodiscard]] std::optional<std::string> describe_variable(std::uint32_t context,
                                                             std::string_view name) const;
  [[nodiscard]] std::string describe_call(std::uint32_t call) const;
  [[nodiscard]] std::string describe_property(std::uint32_t source, std::string_view name) const;
  [[nodiscard]] std::string describe_function(std::uint32_t closure) const;
  [[nodiscard]] std::string file_after(std::uint32_t node) const;
  [[nodiscard]] std::string make_type(std::uint32_t node) const;
  std::uint32_t type_of(std::uint32_t node);
  std::uint32_t add(std::uint32_t steps, std::uint32_t text, bool is_anchor = false);
  std::uint32_t add_folded(std::uint32_t steps, std::uint32_t text);
  std::uint32_t enter_runtime(std::uint32_t steps);
  [[nodiscard]] bool is_inside_runtime(std::uint32_t steps) const;
  std::uint32_t number_of(std::string text);
  std::string with_type(std::string_view text, std::uint32_t node);

  const Graph& graph_;
  const ProgramParts& parts_;
  const Dominators& dominators_;
  const TraceContexts& known_;
  std::vector<ContextFunctions> contexts_;
  std::vector<Step> steps_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, core::KeyedHash> numbers_;      ///< of texts
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> children_;   ///< by steps and text
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> types_;      ///< by kind and name
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> functions_;  ///< types, by closure
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> elements_;   ///< of types, as elements
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> plain_;  ///< texts by edge name and type
  std::map<std::uint32_t, std::uint32_t> outer_;                            ///< by node: the steps up to it
};

/// Whether a node is a part of how V8 implements others, such as the table of a `Map`.
[[nodiscard]] bool is_internal(const Graph& graph, std::uint32_t node);

}  // namespace heapcheck::analyze
