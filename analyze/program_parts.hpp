// Which nodes and edges of a graph belong to the program that was dumped, rather than to its runtime. Borrows
// the graph. spec: analysis.md#what-leads-there
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyze/dominators.hpp"
#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Whether a file is one of the program's own, rather than one of the runtime's, such as `node:events`. In
/// graphs whose program files have absolute paths or URLs, files without them are the runtime's.
[[nodiscard]] bool is_program_file(std::string_view file, bool has_absolute);

class ProgramParts {
 public:
  explicit ProgramParts(const Graph& graph);

  [[nodiscard]] bool is_v8() const { return graph_.rules == RetentionRules::devtools; }
  /// Whether the file has scripts with absolute paths or URLs, so that places show which nodes belong to the
  /// program.
  [[nodiscard]] bool has_absolute() const { return has_absolute_; }
  /// The file of a node's place; empty if it is unknown.
  [[nodiscard]] std::string_view file_of(std::uint32_t node) const;
  /// Whether a function, or an object of a class, is from a file of the program.
  [[nodiscard]] bool is_of_program(std::uint32_t node) const { return own_.has(node); }

  /// The first function or object of the program to which a node refers, or which is among the first nodes
  /// that it dominates.
  [[nodiscard]] std::optional<std::uint32_t> find_inner(std::uint32_t node,
                                                        const DominatedNodes& dominated) const;

  // Edges of V8's files.
  [[nodiscard]] bool is_variable(const Edge& edge, std::uint32_t source) const;
  [[nodiscard]] static bool is_property(const Edge& edge);
  /// Whether an edge leads to the arguments and local variables of a suspended call of the program.
  [[nodiscard]] bool is_from_call(const Edge& edge, std::uint32_t source) const;
  [[nodiscard]] bool is_global(std::uint32_t node) const;
  /// Whether a node is a native context, which refers to the global object of its page.
  [[nodiscard]] bool is_native_context(std::uint32_t node) const;
  /// Whether a property of the global object is one that every program has.
  [[nodiscard]] bool is_of_runtime_global(const Edge& edge) const;

  /// Whether the name of an edge in MoarVM's dumps is that of a variable or attribute of the program.
  [[nodiscard]] static bool is_moar_name(std::string_view name);

 private:
  const Graph& graph_;
  bool has_absolute_;
  graph::NodeSet own_;
};

}  // namespace heapcheck::analyze
