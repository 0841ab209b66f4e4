// The rows that represent nodes and edges in answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/heap.hpp"
#include "analyze/row_count.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// Parses the kind of node to count. Errors: unsupported if the graph has no such nodes.
Result<TopOf> parse_top_of(const Graph& graph, std::string_view word);
/// Parses `size`, `count` or `retained`, which is called `cumulative` in profiles. Empty for any other word.
std::optional<TopBy> parse_top_by(std::string_view word);

/// States how many rows the answer leaves out of all, and whether there are more that were not counted.
void add_left_out(const RowCount& all, std::size_t shown, Answer& answer);

/// Returns whether `what` counts allocations by stack rather than nodes of a graph. In a sampling profile,
/// `kinds` counts nodes, as does any word once the graph has been made. In a V8 heap snapshot, only `frames`
/// are counted by stack.
bool counts_stacks(const Asked& asked, std::string_view what);
/// Makes the profile of the snapshot, or that of the graph if it has been made already. Errors: any error
/// from Asked::make_profile.
Result<AllocationProfile> make_asked_profile(const Asked& asked);
/// The nodes of a timeline that have no stack, and are therefore left out of its profile.
struct WithoutStack {
  std::uint64_t count = 0;
  std::uint64_t size = 0;  ///< bytes
};
/// A remark about such nodes. `limit` is the text before their number.
Remark make_remark(const WithoutStack& left_out, std::string_view limit = {});
/// A remark about the nodes that a profile leaves out, if there are any.
std::vector<Remark> make_remarks(const AllocationProfile& profile);
/// Parses which items `what` counts in the profile. Errors: unsupported if the profile does not have such
/// items.
Result<AllocationsOf> parse_allocations_of(const AllocationProfile& profile, std::string_view what);

/// A dump with which later dumps are compared.
struct FirstDump {
  std::string file;
  Format format{};
};
/// Checks that a dump can be compared with an earlier dump. Errors: unsupported if their formats belong to
/// different families.
Result<void> check_comparable(const FirstDump& first, Format later);

/// The facts of an answer about one snapshot: its index.
[[nodiscard]] inline std::vector<std::pair<std::string_view, Cell>> make_facts(std::uint64_t snapshot) {
  return {{"snapshot", snapshot}};
}

/// The same for a dump that may lack snapshots; the index is then null.
[[nodiscard]] inline std::vector<std::pair<std::string_view, Cell>> make_facts(const Asked& asked) {
  return {{"snapshot", asked.lack.empty() ? Cell(asked.snapshot) : Cell()}};
}

/// The columns that describe the process of a dump in a trace. The text shows only the first and the last
/// one.
inline constexpr std::array<Column, 4> process_columns{
    {{"process", "Process"}, {"process_type", ""}, {"pid", "", Unit::number}, {"dump", "Dump"}}};

/// Longer names are shortened in text. Chrome's names are up to 50 bytes long.
inline constexpr std::size_t most_process_bytes = 100;
/// The human-readable name of a process.
[[nodiscard]] std::string show_process(const DumpProcess& process);
/// Appends the values of these columns.
void append_process(const DumpProcess& process, std::vector<Cell>& row);
/// Adds the process of a dump in a trace to the facts of an answer, and to the text before the table.
void add_process(const Asked& asked, Answer& answer);

/// A cell with a number of objects; empty if the profile does not state such numbers.
[[nodiscard]] inline Cell make_count(const AllocationProfile& profile, std::uint64_t count) {
  return has_counts(profile) ? Cell(count) : Cell();
}

/// A place as a cell of a column with Unit::place; empty if nothing is known.
[[nodiscard]] Cell make_place(const Place& place);
/// The same for the place of a node.
[[nodiscard]] Cell make_place(const Graph& graph, const Node& node);
/// The columns of a node: id, kind, name, place, size and retained size and, if the snapshot has detached
/// nodes, whether the node is one.
std::vector<Column> node_columns_of(const Graph& graph);
/// The values of a node in these columns.
std::vector<Cell> make_row(const Heap& heap, std::uint32_t index);

/// What the root is called in every format.
inline constexpr std::string_view root_name = "(root)";

/// The label of an edge: its name, or its number in brackets.
std::string label_of(const Edge& edge);
/// The human-readable name of a node, such as `<anon>` if it is empty.
std::string show_name(const Node& node);
/// A path from the root with one step per line, each node after the edge that leads to it. Steps that repeat
/// an edge and a type, as in a linked list, are folded into one. `retained` contains the retained size of
/// each node, or is empty if the path does not show these sizes.
std::string show_path(const Graph& graph, const std::vector<PathStep>& path,
                      std::span<const std::uint64_t> retained = {});
/// The same path as a table for JSON, with all its steps.
Table make_steps(const Graph& graph, const std::vector<PathStep>& path,
                 std::span<const std::uint64_t> retained = {});

/// The calls of a stack, innermost first. `places` are places in Graph::stacks.
Table make_stack(const Graph& graph, std::span<const std::uint32_t> places);

}  // namespace heapcheck::analyze::answers
