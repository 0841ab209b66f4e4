// The rows that stand for nodes and edges in answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/heap.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// What `word` counts in the graph. Errors: unsupported, if it has no kind of nodes that are called so.
Result<TopOf> parse_top_of(const Graph& graph, std::string_view word);
/// `size`, `count` or `retained`, which is called `cumulative` in profiles; nothing for any other word.
std::optional<TopBy> parse_top_by(std::string_view word);

/// Returns whether a count of `what` is one of allocations by stack, rather than of the nodes of a graph.
/// `kinds` of a sampling profile are those of its nodes, and so is everything else once its graph is made.
bool counts_stacks(const Asked& asked, std::string_view what);
/// What `what` counts in the profile. Errors: unsupported, if it does not have that.
Result<AllocationsOf> parse_allocations_of(const AllocationProfile& profile, std::string_view what);

/// A dump that later ones are compared with.
struct FirstDump {
  std::string file;
  Format format{};
};
/// Checks that a dump can be compared with an earlier one. Errors: unsupported, if their formats are of
/// different families.
Result<void> check_comparable(const FirstDump& first, Format later);

/// The facts of an answer about one snapshot: its index.
[[nodiscard]] inline std::vector<std::pair<std::string_view, Cell>> make_facts(std::uint64_t snapshot) {
  return {{"snapshot", snapshot}};
}

/// The columns of a node: id, kind, name, size and retained size.
extern const std::vector<Column> node_columns;
/// The values of a node in them.
std::vector<Cell> make_row(const Heap& heap, std::uint32_t index);

/// The label of an edge: its name, or its number in brackets.
std::string label_of(const Edge& edge);
/// The name of a node for people, such as `<anon>` if it is empty.
std::string show_name(const Node& node);
/// A path from the root, one step per line: each node after the edge that leads to it.
std::string show_path(const Graph& graph, const std::vector<PathStep>& path);
/// The same as a table of JSON.
Table make_steps(const Graph& graph, const std::vector<PathStep>& path);

}  // namespace heapcheck::analyze::answers
