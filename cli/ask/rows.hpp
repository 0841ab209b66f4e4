// The rows that stand for nodes and edges in answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/answer.hpp"
#include "heapcheck/heap.hpp"

namespace heapcheck::cli {

/// What to count, by its name on the command line, which is `objects` for any other word.
TopOf parse_top_of(std::string_view word);
/// `size`, `count` or `retained`, which is called `cumulative` in profiles; nothing for any other word.
std::optional<TopBy> parse_top_by(std::string_view word);

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

}  // namespace heapcheck::cli
