// What the export forms have in common; their table is in export/writers.hpp. The input is one snapshot after
// another, as a graph or as allocations by call stack, both of which are borrowed. The output is written to a
// sink as bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "export/tables/table.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports {

/// The graph of one snapshot.
struct GraphInput {
  std::string_view file;       ///< the path of the dump; empty for bytes in memory
  Format format{};             ///< of the dump
  std::uint64_t snapshot = 0;  ///< the index of the snapshot
  const Graph& graph;
  const analyze::Retention& retention;  ///< the dominator tree and the retained sizes of the graph
};

/// The allocations of one snapshot by call stack or, for a graph, its dominator tree by type.
struct StacksInput {
  std::string_view file;
  Format format{};
  std::uint64_t snapshot = 0;
  const AllocationProfile& profile;
  bool is_dominator_tree = false;
};

/// The output that was written, the losses caused by the form, and notes for the user. The notes are whole
/// sentences without a full stop.
struct Written {
  std::vector<Amount> amounts = {};
  std::vector<Loss> losses = {};
  std::vector<std::string> notes = {};

  /// Adds the output for another snapshot of the same dump.
  void add(Written more);
};

/// Whether snapshots of that family are exported as allocations by call stack instead of as a graph.
[[nodiscard]] bool has_stacks(Family family);

/// The name of the file for one part of an export, such as a snapshot or a table: `heap-3.txt` for
/// `heap.txt`.
[[nodiscard]] std::string name_part(const std::string& output, std::string_view part);

/// Writes one snapshot as one file. Errors: unwritable; unsupported; limit.
using WriteGraph = Result<Written> (*)(const GraphInput& input, core::ByteSink& sink);
using WriteStacks = Result<Written> (*)(const StacksInput& input, core::ByteSink& sink);
/// Opens the writer of a table. Borrows the table and the sink.
using OpenTable = std::unique_ptr<tables::TableWriter> (*)(const tables::Table& table, core::ByteSink& sink);

// The members are in the order in which people read a table row; the padding does not matter, because the
// table has only nine rows.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct Form {
  ExportForm form{};
  std::string_view name;  ///< the value of the `--to` option
  /// The text that follows the name on the manual page, in sentences as in Option::manual. The name is the
  /// subject of the first sentence.
  std::string_view manual;
  bool is_text = false;      ///< whether the output may be shown on a terminal
  bool is_database = false;  ///< whether all tables are in one file
  /// Unless the form is a database, one of these functions writes a snapshot or opens the writer of a table,
  /// and the others are null.
  WriteGraph write_graph = nullptr;
  WriteStacks write_stacks = nullptr;
  OpenTable open_table = nullptr;

  /// Whether snapshots are exported as tables.
  [[nodiscard]] bool has_tables() const { return is_database || open_table != nullptr; }
};

/// All forms, in the order in which the help lists them.
[[nodiscard]] std::span<const Form> all_forms();
/// The row of a form.
[[nodiscard]] const Form& row_of(ExportForm form);

}  // namespace heapcheck::exports
